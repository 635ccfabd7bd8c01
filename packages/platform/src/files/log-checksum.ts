/** A checksum of SQLite's write-ahead log: two words of 32 bits. */
export type Checksum = readonly [number, number];

/** SQLite's checksum of words that follow others. */
export function summed(words: Uint32Array, seed: Checksum): Checksum {
  let [first, second] = seed;
  for (let word = 0; word < words.length; word += 2) {
    first = (first + (words[word] ?? 0) + second) | 0;
    second = (second + (words[word + 1] ?? 0) + first) | 0;
  }
  return [first >>> 0, second >>> 0];
}

/** Changes the bit back that makes the checksum of a frame right, if there is exactly one. */
export function correctBit(words: Uint32Array, sum: Checksum, wanted: Checksum): void {
  const [bit, ...others] = bitsBetween(words, [(wanted[0] - sum[0]) | 0, (wanted[1] - sum[1]) | 0]);
  if (bit === undefined || others.length > 0) return;
  words[bit >> 5] = (words[bit >> 5] ?? 0) ^ (1 << (bit & 31));
}

/**
 * The bits that change the checksum of the words by this difference. Each pair of words turns a difference `[a, b]` of
 * the words before it into `[a + b, a + 2b]`.
 */
function bitsBetween(words: Uint32Array, difference: Checksum): readonly number[] {
  const bits: number[] = [];
  let effects: readonly [Checksum, Checksum] = [
    [1, 1],
    [0, 1],
  ];
  for (let pair = words.length - 2; pair >= 0; pair -= 2) {
    for (const [word, effect] of effects.entries()) bits.push(...bitsInWord(words, pair + word, effect, difference));
    const [[a, b], [c, d]] = effects;
    effects = [
      [(a + b) | 0, (a + 2 * b) | 0],
      [(c + d) | 0, (c + 2 * d) | 0],
    ];
  }
  return bits;
}

function bitsInWord(words: Uint32Array, word: number, effect: Checksum, difference: Checksum): readonly number[] {
  const bits: number[] = [];
  const value = words[word] ?? 0;
  for (let bit = 0; bit < 32; bit += 1) {
    const change = (value >>> bit) & 1 ? -(1 << bit) : 1 << bit;
    if (Math.imul(effect[0], change) === difference[0] && Math.imul(effect[1], change) === difference[1])
      bits.push(32 * word + bit);
  }
  return bits;
}

/** Whether two checksums are the same. */
export function isEqual(one: Checksum, other: Checksum): boolean {
  return one[0] === other[0] && one[1] === other[1];
}
