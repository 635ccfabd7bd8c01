/** Bounds how often something may be tried. */
export interface AttemptLimit {
  /** Whether the attempts under this key are used up for now. */
  isExceeded(key: string): boolean;
  /** Counts an attempt. One of less weight uses up less. */
  count(key: string, weight?: number): void;
}

/** How many attempts a key has, and how many keys are remembered. */
interface AttemptLimitOptions {
  readonly burst: number;
  readonly perMinute: number;
  readonly keys: number;
  /** Milliseconds that never go back. */
  readonly now: () => number;
}

/** A budget of attempts per key that refills with time. The number of remembered keys is bounded: the oldest go first. */
export function attemptLimit({ burst, perMinute, keys, now }: AttemptLimitOptions): AttemptLimit {
  const spent = new Map<string, { amount: number; at: number }>();
  const spentBy = (key: string): number => {
    const entry = spent.get(key);
    return entry === undefined ? 0 : Math.max(0, entry.amount - ((now() - entry.at) / 60_000) * perMinute);
  };
  return {
    isExceeded: (key) => spentBy(key) >= burst,
    count(key, weight = 1) {
      const amount = spentBy(key) + weight;
      spent.delete(key);
      spent.set(key, { amount, at: now() });
      const [oldest] = spent.keys();
      if (spent.size > keys && oldest !== undefined) spent.delete(oldest);
    },
  };
}
