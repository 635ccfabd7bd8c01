import { readFileSync } from 'node:fs';

/** What a process costs. Resident memory alone would count pages that other processes share as often as they do. */
export interface ProcessMemory {
  /** Anonymous memory: heap, stacks and changed data, not pages of files. */
  readonly privateMegabytes: number;
  /** Proportional set size: all resident pages, each divided by the number of processes that share it. */
  readonly pssMegabytes: number;
}

/** Reads it from `smaps_rollup` of Linux. */
export function memoryOf(pid: number | undefined): ProcessMemory {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const megabytes = (field: string): number => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(rollup)?.[1]) / 1024;
  return {
    privateMegabytes: megabytes('Anonymous'),
    pssMegabytes: megabytes('Pss'),
  };
}

/** For the log of a run. */
export function memoryText({ privateMegabytes, pssMegabytes }: ProcessMemory): string {
  return `${privateMegabytes.toFixed(1)} MB private, ${pssMegabytes.toFixed(1)} MB PSS`;
}
