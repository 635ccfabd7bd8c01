import type { Logger } from '@fenestra/platform';
import { tellFailure } from './tell-failure.ts';

/** Does some work every so often until aborted, one run at a time. A run that fails is told and tried again. */
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
