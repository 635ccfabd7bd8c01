/** One figure against a named peer, measured in the same run on the same machine. */
export interface Ratio {
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
  readonly peer: string;
  readonly theirs: number;
  /** The ratio may be this at most. */
  readonly bar: number;
}

/** A benchmark: what `npm run bench -- NAME` runs. */
export interface Benchmark {
  readonly name: string;
  measure(): Promise<readonly Ratio[]>;
}

/** The middle value: a busy moment of the machine does not move it. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The value a quarter of the way up: whatever else the machine does makes rounds slower, never quicker. */
export function undisturbed(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 4)] ?? Number.NaN;
}
