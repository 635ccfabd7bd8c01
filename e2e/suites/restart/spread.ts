/** How many of some moments fall into each stretch of time, and the most that fall into one of them. */
export interface Spread {
  readonly counts: readonly number[];
  readonly most: number;
}

/** Counts moments from `from` on by stretches of so many milliseconds. */
export function spread(moments: readonly number[], from: number, stretchMs: number): Spread {
  const counts: number[] = [];
  for (const moment of moments) {
    if (moment < from) continue;
    const index = Math.floor((moment - from) / stretchMs);
    counts[index] = (counts[index] ?? 0) + 1;
  }
  const filled = Array.from(counts, (count) => count ?? 0);
  return { counts: filled, most: Math.max(0, ...filled) };
}
