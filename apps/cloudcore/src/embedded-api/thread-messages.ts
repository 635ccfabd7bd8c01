import type { ErrorCode, ErrorDetails } from '@fenestra/kernel';
import type { Kubelite, KubeliteOptions } from '@fenestra/kubelite';
import type { LogFields, LogLevel } from '@fenestra/platform';

/** What the thread of the embedded API is started with. */
export type ThreadOptions = Pick<KubeliteOptions, 'address' | 'alternativeNames' | 'folder' | 'port'>;

/** How to reach the API that a thread runs. */
export type RunningApi = Omit<Kubelite, 'close'>;

/** What the thread reports to the process. */
export type ThreadMessage =
  | { readonly type: 'ready'; readonly api: RunningApi }
  | { readonly type: 'failed'; readonly failure: ThreadFailure }
  | { readonly type: 'log'; readonly level: LogLevel; readonly message: string; readonly fields: LogFields }
  /** Sent every second: the longest time for which the thread's event loop was blocked. */
  | { readonly type: 'delay'; readonly milliseconds: number }
  | { readonly type: 'closed' };

/** Why the API could not start. A message between threads does not keep the class of an error. */
export interface ThreadFailure {
  readonly error: unknown;
  readonly operator?: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly hint: string;
    readonly details: ErrorDetails;
  };
}

/** What the process sends to the thread: to finish requests, close the database and report `closed`. */
export const CLOSE = 'close';
