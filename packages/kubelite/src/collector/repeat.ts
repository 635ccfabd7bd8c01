import type { Logger } from '@fenestra/platform';

/** Does some work every so often until aborted, one run at a time. A run that fails is told and tried again. */
export function repeat(everyMs: number, work: () => Promise<void>, log: Logger, signal: AbortSignal): void {
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    work()
      .catch((cause: unknown) => log.warn('Cannot finish a round of housekeeping', { cause: String(cause) }))
      .finally(() => {
        busy = false;
      });
  }, everyMs);
  timer.unref();
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
}
