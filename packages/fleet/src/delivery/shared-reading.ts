import { closeSync, openSync, readSync } from 'node:fs';

/** Several packets, so that the system is not called for each; no more, because every machine that is sent to may hold as much. */
const PIECE_BYTES = 256 * 1024;
/** Machines that are sent to at the same time are not further apart than this, as a rule. */
const KEPT_PIECES = 32;

/** Reads files that go to many machines: what one of them was just given is not read again for the next. */
export interface SharedReading {
  /**
   * A file's bytes, no more than announced. A piece holds only until the next one is asked for, and is not to be written
   * to. `isThere` says when a file that grows meanwhile has come so far.
   */
  bytes(path: string, size: number, isThere?: (end: number) => Promise<void>): AsyncGenerator<Uint8Array>;
}

/** Part of a file in memory. */
interface Piece {
  readonly memory: Buffer;
  length: number;
  readers: number;
}

/** Opens it for one run. Memory is needed for what is kept of each file, and for machines that lag far behind. */
export function openSharedReading(): SharedReading {
  const files = new Map<string, SharedFile>();
  return {
    async *bytes(path, size, isThere) {
      // Whoever was told another size gets another part of it at a time.
      const name = `${size} ${path}`;
      const file = files.get(name) ?? new SharedFile(path, Math.min(size, PIECE_BYTES));
      files.set(name, file);
      file.users += 1;
      try {
        yield* piecesOf(file, size, isThere);
      } finally {
        file.users -= 1;
        if (file.users === 0) {
          files.delete(name);
          file.close();
        }
      }
    },
  };
}

async function* piecesOf(
  file: SharedFile,
  size: number,
  isThere?: (end: number) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; at += file.pieceBytes) {
    await isThere?.(Math.min(at + file.pieceBytes, size));
    const piece = file.take(at);
    try {
      if (piece.length === 0) return;
      yield piece.memory.subarray(0, Math.min(piece.length, size - at));
    } finally {
      piece.readers -= 1;
    }
  }
}

class SharedFile {
  users = 0;
  readonly pieceBytes: number;
  readonly #descriptor: number;
  /** By where they begin; the one that was used last is the last. */
  readonly #kept = new Map<number, Piece>();

  constructor(path: string, pieceBytes: number) {
    this.pieceBytes = pieceBytes;
    this.#descriptor = openSync(path, 'r');
  }

  /** The part that begins there, to be given back by its number of readers. */
  take(at: number): Piece {
    const piece = this.#kept.get(at) ?? this.#read(at);
    this.#kept.delete(at);
    this.#kept.set(at, piece);
    piece.readers += 1;
    return piece;
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  /** It was read a moment ago for its digest and is in the system's memory: waiting for it would take longer than reading it. */
  #read(at: number): Piece {
    const piece = this.#leastUsed() ?? { memory: Buffer.allocUnsafeSlow(this.pieceBytes), length: 0, readers: 0 };
    piece.length = readFully(this.#descriptor, piece.memory, at);
    return piece;
  }

  /** Memory that may be used for something else. What is being sent to a machine stays as it is. */
  #leastUsed(): Piece | undefined {
    if (this.#kept.size < (this.users > 1 ? KEPT_PIECES : 1)) return undefined;
    for (const [at, piece] of this.#kept) {
      if (piece.readers > 0) continue;
      this.#kept.delete(at);
      return piece;
    }
    return undefined;
  }
}

/** How much of the memory the file fills from there on. */
function readFully(descriptor: number, memory: Buffer, from: number): number {
  for (let read = 0; ;) {
    const more = readSync(descriptor, memory, read, memory.length - read, from + read);
    read += more;
    if (more === 0 || read === memory.length) return read;
  }
}
