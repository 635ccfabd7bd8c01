/** Random choices that a seed repeats exactly. */
export interface Random {
  /** An integer from 0 up to, and without, the limit. */
  below(limit: number): number;
  pick<T>(choices: readonly T[]): T;
  chance(probability: number): boolean;
}

const TWO_TO_32 = 2 ** 32;

/** The generator mulberry32: https://gist.github.com/tommyettinger/46a874533244883189143505d203312c */
export function seededRandom(seed: number): Random {
  let state = Math.trunc(seed);
  const next = (): number => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / TWO_TO_32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    chance: (probability) => next() < probability,
    pick(choices) {
      const choice = choices[below(choices.length)];
      if (choice === undefined) throw new Error('There is nothing to pick from');
      return choice;
    },
  };
}
