import { createReadStream, writeSync } from 'node:fs';
import { type Readable, Writable } from 'node:stream';

/**
 * Makes the standard streams usable where libuv cannot open what the process was given, such as a Unix pipe under Wine:
 * plain reads and writes work there.
 */
export function repairStandardStreams(): void {
  repair('stdin', () => createReadStream('', { fd: 0, autoClose: false }));
  repair('stdout', () => writableOf(1));
  repair('stderr', () => writableOf(2));
}

function repair(name: 'stdin' | 'stdout' | 'stderr', fallback: () => Readable | Writable): void {
  const original = Object.getOwnPropertyDescriptor(process, name);
  let stream: unknown;
  const get = (): unknown => (stream ??= originalOr(original, fallback));
  Object.defineProperty(process, name, { configurable: true, enumerable: true, get });
}

function originalOr(original: PropertyDescriptor | undefined, fallback: () => unknown): unknown {
  try {
    return original?.get?.call(process);
  } catch {
    return fallback();
  }
}

function writableOf(fd: number): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      try {
        for (let sent = 0; sent < chunk.length;) sent += writeSync(fd, chunk, sent);
      } catch {
        // No one reads it.
      }
      done();
    },
  });
}
