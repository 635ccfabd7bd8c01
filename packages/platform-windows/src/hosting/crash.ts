import { THIS_PROCESS } from '../access/token.ts';
import type { Native } from '../native.ts';
import type { Note } from './service-events.ts';

const CRASHED = 70;
const UNHANDLED_ERROR = 1;

/**
 * Ends the process at the first error nobody handled, without a word to the service manager: a process that ends
 * without reporting "stopped" is a failure, and only then the recovery policy comes in.
 */
export function endOnUnhandledErrors(native: Native, note: Note): void {
  const end = (error: unknown) => {
    note(UNHANDLED_ERROR, error);
    // Not process.exit: that waits for the threads of libuv, of which one may hang for good.
    native.kernel32.TerminateProcess(THIS_PROCESS, CRASHED);
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}
