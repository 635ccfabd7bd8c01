import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The direct children of a process, in the order they were started. A process that is gone has none. */
export function childrenOf(pid: number): readonly number[] {
  return threadsOf(pid).flatMap((thread) => readPids(`/proc/${pid}/task/${thread}/children`));
}

/** Ends a process and everything it started that still hangs below it, at once. */
export function killTree(pid: number): void {
  for (const child of childrenOf(pid)) killTree(child);
  killNow(pid);
}

/** Sends SIGKILL; a process that is gone already is fine. */
export function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone between being listed and being killed.
  }
}

/** Every process in the PID namespace with this identity (what `/proc/PID/ns/pid` links to). */
export function processesInNamespace(namespace: string): readonly number[] {
  return processesInNamespaces((found) => found === namespace);
}

/** Every process in a PID namespace that fits. */
export function processesInNamespaces(fits: (namespace: string) => boolean): readonly number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => fits(readOr(() => readlinkSync(`/proc/${pid}/ns/pid`))));
}

/** The short name of a process, or an empty string if it is gone. */
export function programOf(pid: number): string {
  return readOr(() => readFileSync(`/proc/${pid}/comm`, 'utf8').trim());
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function readPids(file: string): readonly number[] {
  return readOr(() => readFileSync(file, 'utf8'))
    .split(' ')
    .filter((word) => word !== '')
    .map(Number);
}

// A process may end between any two looks at /proc.
function readOr(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
