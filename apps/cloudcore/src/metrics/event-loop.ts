import type { Logger } from '@fenestra/platform';

/** Long enough not to wake an idle process often, short enough to notice what an operator would notice. */
const TICK_MS = 100;
const TICKS_PER_REPORT = 10;
const ALARM_MS = 250;
const QUIET_MS = 10_000;
const KEPT_REPORTS = 60;

/**
 * Calls back every second with the longest time for which the event loop of this thread was blocked. Returns how to stop.
 * By our own timer: `monitorEventLoopDelay` loses a delay that its `reset` falls into.
 */
export function watchEventLoop(report: (milliseconds: number) => void): () => void {
  let last = performance.now();
  let longest = 0;
  let ticks = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last - TICK_MS);
    last = now;
    ticks += 1;
    if (ticks % TICKS_PER_REPORT > 0) return;
    report(Math.round(longest));
    longest = 0;
  }, TICK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** What is known about the delays of one thread. */
export interface LoopDelays {
  add(milliseconds: number): void;
  /** The longest delay of the last minute, in seconds. */
  longestSeconds(): number;
}

/** Keeps the delays of a thread, and warns of a long one, at most every ten seconds. */
export function loopDelays(thread: string, log: Logger, now: () => number = () => performance.now()): LoopDelays {
  const kept: number[] = [];
  let quietUntil = -Infinity;
  return {
    add(milliseconds) {
      kept.push(milliseconds);
      if (kept.length > KEPT_REPORTS) kept.shift();
      if (milliseconds < ALARM_MS || now() < quietUntil) return;
      quietUntil = now() + QUIET_MS;
      log.warn('The event loop was blocked', { thread, milliseconds });
    },
    longestSeconds: () => Math.max(0, ...kept) / 1_000,
  };
}
