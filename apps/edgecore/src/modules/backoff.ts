/** How long to wait between tries. All in milliseconds. */
export interface BackoffPolicy {
  readonly firstMs: number;
  readonly capMs: number;
  /** What has lasted this long counts as healthy: the next wait is a short one again. */
  readonly healthyAfterMs: number;
}

/** Counts failures and says how long to wait after each. */
export interface Backoff {
  /** The wait before the next try, given how long the last one lasted. */
  next(lastedMs: number): number;
  reset(): void;
}

const LEAST_SHARE = 0.1;

/**
 * Waits that double up to a cap, each a random share of its limit: many nodes that lost their cloud in one moment come
 * back spread over time. `random` gives numbers from 0 up to 1.
 */
export function exponentialBackoff({ firstMs, capMs, healthyAfterMs }: BackoffPolicy, random: () => number): Backoff {
  let failures = 0;
  return {
    next(lastedMs) {
      if (lastedMs >= healthyAfterMs) failures = 0;
      const limit = Math.min(capMs, firstMs * 2 ** Math.min(failures, 30));
      failures += 1;
      return Math.round(limit * (LEAST_SHARE + (1 - LEAST_SHARE) * random()));
    },
    reset() {
      failures = 0;
    },
  };
}
