import type { LogFields, Logger } from '@fenestra/platform';
import { StatusError } from '../objects/status-error.ts';

/** Does some work every so often until aborted, one run at a time. A run that fails is reported and tried again. */
export function repeat(everyMs: number, work: () => Promise<void>, log: Logger, signal: AbortSignal): void {
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    work()
      .catch((cause: unknown) => tellFailure(cause, 'Cannot finish a round of housekeeping', {}, log, signal))
      .finally(() => {
        busy = false;
      });
  }, everyMs);
  timer.unref();
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
}

/**
 * What a controller does with a failure: it says so, and goes on. That the object has gone or changed in the meantime
 * is not a failure, since another event reports it; nor is anything after the end.
 */
export function tellFailure(cause: unknown, what: string, fields: LogFields, log: Logger, signal: AbortSignal): void {
  if (signal.aborted || (cause instanceof StatusError && [404, 409].includes(cause.code))) return;
  log.warn(what, { ...fields, cause: String(cause) });
}
