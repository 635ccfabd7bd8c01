import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PodCloud } from '../../e2e/support/cloud/pod-cloud.ts';
import { processesInNamespaces } from '../../e2e/support/beds/process-tree.ts';

const TICK_MS = 10;
/** Of what follows the name of the program in `/proc/PID/stat`: time in the program and in the kernel. */
const [USER, SYSTEM] = [11, 12];

/** The process of the agent, by its number outside of the cage. */
export function agentPid({ nodeRoot }: PodCloud): number {
  const isAgent = (pid: number): boolean => {
    const [program = '', flag] = commandOf(pid);
    return program.startsWith(nodeRoot) && program.endsWith('/edgecore') && flag === '--config';
  };
  const pid = processesInNamespaces(() => true).find(isAgent);
  if (pid === undefined) throw new Error('The agent does not run');
  return pid;
}

function commandOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

/** The processor time that a process has used, in milliseconds. */
export function processorMs(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return ((fields[USER] ?? 0) + (fields[SYSTEM] ?? 0)) * TICK_MS;
}

/** The share of one core that a process uses during this time, in percent. */
export async function processorPercent(pid: number, milliseconds: number): Promise<number> {
  const [before, begun] = [processorMs(pid), performance.now()];
  await sleep(milliseconds);
  return (100 * (processorMs(pid) - before)) / (performance.now() - begun);
}
