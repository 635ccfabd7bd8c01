const NEWLINE = 0x0a;

/** Bytes that arrive in pieces of any size, taken in pieces of the sizes one wants. */
export interface ByteSource {
  /** The text up to the next line's end, which is left out. */
  line(): Promise<string>;
  /** So many bytes, in pieces; fewer only if the source has ended. */
  take(size: number): AsyncGenerator<Buffer>;
}

/** Reads a stream from where it is; nothing of it is lost between the calls. */
export function byteSource(stream: AsyncIterable<Uint8Array>): ByteSource {
  const pieces = stream[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  const more = async (): Promise<boolean> => {
    const { done, value } = await pieces.next();
    if (done === true) return false;
    rest = rest.length === 0 ? Buffer.from(value) : Buffer.concat([rest, value]);
    return true;
  };
  const cut = (size: number): Buffer => {
    const piece = rest.subarray(0, size);
    rest = rest.subarray(size);
    return piece;
  };
  return {
    async line() {
      while (!rest.includes(NEWLINE) && (await more()));
      const end = rest.indexOf(NEWLINE);
      const line = cut(end === -1 ? rest.length : end + 1).toString('utf8');
      return end === -1 ? line : line.slice(0, -1);
    },
    async *take(size) {
      for (let left = size; left > 0;) {
        if (rest.length === 0 && !(await more())) return;
        const piece = cut(left);
        left -= piece.length;
        yield piece;
      }
    },
  };
}
