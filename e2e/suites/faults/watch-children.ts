import { readFileSync } from 'node:fs';
import type { KeadmMachine } from '../../support/machines/keadm-machine.ts';
import { processesOn } from '../../support/faults/machine-processes.ts';

const LOOK_MS = 20;

/** Looks at all that keadm starts while the work goes on; returns what comes of it, and the programs that were shown the text. */
export async function watchChildren<T>(
  machine: KeadmMachine,
  text: string,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly seen: ReadonlySet<string>; readonly reported: ReadonlySet<string> }> {
  const seen = new Set<string>();
  const reported = new Set<string>();
  const look = (): void => {
    for (const pid of processesOn(machine).filter(isStartedByUs)) {
      seen.add(programNamed(pid));
      if (['cmdline', 'environ'].some((file) => read(pid, file).includes(text))) reported.add(programNamed(pid));
    }
  };
  const looking = setInterval(look, LOOK_MS);
  try {
    return { result: await work(), seen, reported };
  } finally {
    clearInterval(looking);
  }
}

/** The agent, which its service manager starts, or a child of keadm that has become its own program. */
function isStartedByUs(pid: number): boolean {
  const parent = /^PPid:\s+(\d+)$/m.exec(read(pid, 'status'))?.[1];
  const name = programNamed(pid);
  return name.startsWith('edgecore') || (programNamed(Number(parent)).startsWith('keadm') && !name.startsWith('keadm'));
}

/** A program by the first word of its command line; what the system calls a process is the name of a thread. */
function programNamed(pid: number): string {
  const [path = ''] = read(pid, 'cmdline').split('\0');
  return path.split(/[\\/]/).at(-1) ?? '';
}

// A process may end between any two looks at it.
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
