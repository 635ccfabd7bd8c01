/** Bounds how often one address may try. */
export interface AttemptLimit {
  /** Whether this address has used up its attempts for now. */
  isExceeded(address: string): boolean;
  /** Counts an attempt. */
  count(address: string): void;
}

/** How many attempts an address has, and how many addresses are remembered. */
export interface AttemptLimitOptions {
  readonly burst: number;
  readonly perMinute: number;
  readonly addresses: number;
  /** Milliseconds that never go back. */
  readonly now: () => number;
}

/** A budget of attempts per address that refills with time. What is remembered is bounded: the oldest go first. */
export function attemptLimit({ burst, perMinute, addresses, now }: AttemptLimitOptions): AttemptLimit {
  const spent = new Map<string, { amount: number; at: number }>();
  const spentBy = (address: string): number => {
    const entry = spent.get(address);
    return entry === undefined ? 0 : Math.max(0, entry.amount - ((now() - entry.at) / 60_000) * perMinute);
  };
  return {
    isExceeded: (address) => spentBy(address) >= burst,
    count(address) {
      const amount = spentBy(address) + 1;
      spent.delete(address);
      spent.set(address, { amount, at: now() });
      const [oldest] = spent.keys();
      if (spent.size > addresses && oldest !== undefined) spent.delete(oldest);
    },
  };
}
