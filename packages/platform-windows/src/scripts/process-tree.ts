import type { Pointer, Native } from '../native.ts';

const SET_QUOTA = 0x0100;
const TERMINATE = 0x0001;
/** What a process that was ended from outside mostly has. */
const EXIT_CODE = 1;

/** A process and all that it starts from now on. */
export interface ProcessTree {
  /** Ends all of them at once. */
  end(): void;
  /** Releases them; they run on. */
  close(): void;
}

/** Puts a process that was just started into its own job; one that has ended already makes an empty tree. */
export function holdTree(native: Native, pid: number): ProcessTree {
  const { kernel32 } = native;
  const job = kernel32.CreateJobObjectW(null, null);
  if (job === null) return NO_TREE;
  assign(native, job, pid);
  return {
    end: () => void kernel32.TerminateJobObject(job, EXIT_CODE),
    close: () => void kernel32.CloseHandle(job),
  };
}

const NO_TREE: ProcessTree = { end: () => undefined, close: () => undefined };

function assign({ kernel32 }: Native, job: Pointer, pid: number): void {
  const process = kernel32.OpenProcess(SET_QUOTA | TERMINATE, 0, pid);
  if (process === null) return;
  kernel32.AssignProcessToJobObject(job, process);
  kernel32.CloseHandle(process);
}
