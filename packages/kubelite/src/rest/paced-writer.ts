import type { ServerResponse } from 'node:http';

/**
 * Writes an answer at the pace of its client. No more than a piece waits in the socket, because Node pauses the parser
 * of a connection whose socket is full when the next request arrives, and over TLS takes the rest of that request for a
 * parse error and resets the connection.
 */
export interface PacedWriter {
  push(bytes: Buffer): void;
  /** How many bytes the client has not taken yet. */
  waiting(): number;
  /** Ends the answer once everything has been written. */
  end(): void;
}

/** Below the mark of 64 KiB at which a socket counts as full. */
const PIECE_BYTES = 32 * 1024;

/** A writer for an answer whose head has been set. `onIdle` is called each time nothing waits any more. */
export function pacedWriter(response: ServerResponse, onIdle: () => void = () => {}): PacedWriter {
  const queue = byteQueue();
  let writing = false;
  let ended = false;
  const pump = () => {
    if (writing || response.destroyed) return;
    if (queue.size() === 0) return void (ended ? response.end() : onIdle());
    writing = true;
    response.cork();
    response.write(queue.take(PIECE_BYTES), (error) => {
      writing = false;
      if (!error) pump();
    });
    response.uncork();
  };
  return {
    waiting: () => queue.size(),
    push(bytes) {
      queue.push(bytes);
      pump();
    },
    end() {
      ended = true;
      pump();
    },
  };
}

/** Buffers in order. They are shared with other answers, so that waiting costs little. */
function byteQueue() {
  let buffers: Buffer[] = [];
  let first = 0;
  let offset = 0;
  let size = 0;
  return {
    size: () => size,
    push(bytes: Buffer) {
      buffers.push(bytes);
      size += bytes.length;
    },
    take(limit: number): Buffer {
      const parts: Buffer[] = [];
      for (let left = limit; left > 0 && first < buffers.length;) {
        const bytes = buffers[first] ?? Buffer.alloc(0);
        const part = bytes.subarray(offset, offset + left);
        parts.push(part);
        [left, size, offset] = [left - part.length, size - part.length, offset + part.length];
        if (offset === bytes.length) [first, offset] = [first + 1, 0];
      }
      if (first > 1000 || first === buffers.length) [buffers, first] = [buffers.slice(first), 0];
      return parts.length === 1 ? (parts[0] ?? Buffer.alloc(0)) : Buffer.concat(parts);
    },
  };
}
