import type { Native } from '../native.ts';

const SYNCHRONIZE = 0x100000;
const ENDED = 0;

/** A process whose end can be seen, even after its number belongs to another. */
export interface WaitedProcess {
  hasEnded(): boolean;
  close(): void;
}

/** Opens a process to watch for its end; `undefined` if it is gone or hidden from us. */
export function openForWaiting(native: Native, pid: number): WaitedProcess | undefined {
  const { kernel32 } = native;
  const handle = kernel32.OpenProcess(SYNCHRONIZE, 0, pid);
  if (handle === null) return undefined;
  return {
    hasEnded: () => kernel32.WaitForSingleObject(handle, 0) === ENDED,
    close: () => void kernel32.CloseHandle(handle),
  };
}
