import { readFileSync } from 'node:fs';
import { processesOn } from '../../support/faults/machine-processes.ts';
import type { KeadmMachine } from '../../support/machines/keadm-machine.ts';

const BYTES_PER_KIB = 1_024;

/** The process of a machine that was started as this program with these words, by its number on this system. */
export function processCalled(machine: KeadmMachine, pattern: RegExp): number {
  const found = processesOn(machine).filter((pid) => pattern.test(commandOf(pid)));
  const [pid] = found;
  if (pid === undefined || found.length > 1)
    throw new Error(
      `There are ${found.length} processes "${pattern}" among ${processesOn(machine).map(commandOf).join('; ')}`,
    );
  return pid;
}

/** Memory that belongs to the process alone and to no file. */
export function privateBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1]) * BYTES_PER_KIB;
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    // The process ended after it was listed.
    return '';
  }
}
