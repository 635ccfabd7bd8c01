/** Bytes of a wanted length, and whether any follow. */
export interface Piece {
  readonly bytes: Buffer;
  readonly last: boolean;
}

/** Takes pieces of a wanted length out of a stream that comes in pieces of any; only the last may be shorter. */
export function pieceReader(source: AsyncIterable<Uint8Array>): (length: number) => Promise<Piece> {
  const iterator = source[Symbol.asyncIterator]();
  let held = Buffer.alloc(0);
  let ended = false;

  async function hold(length: number): Promise<void> {
    const parts = [held];
    for (let total = held.length; total < length && !ended;) {
      const { done, value } = await iterator.next();
      ended = done === true;
      if (done !== true) parts.push(Buffer.from(value));
      total += done === true ? 0 : value.length;
    }
    held = Buffer.concat(parts);
  }

  return async (length) => {
    // One byte more than wanted tells whether anything follows.
    if (held.length <= length) await hold(length + 1);
    const bytes = held.subarray(0, length);
    held = held.subarray(length);
    return { bytes, last: ended && held.length === 0 };
  };
}
