import { closeSync, existsSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { open } from 'node:fs/promises';
import { fileError } from '@fenestra/kernel';

/** How much a log may take of the disk: `maxBytes` for each of `count` files. */
export interface RotationLimits {
  readonly maxBytes: number;
  readonly count: number;
}

/** A log file that never outgrows its limits. */
export interface RotatingFile {
  /** Adds a line, or a piece of output. What can't be written is lost: a full disk must not bring the service down. */
  write(line: string | Uint8Array): void;
  close(): void;
}

const LIMITS: RotationLimits = { maxBytes: 10 * 1024 * 1024, count: 5 };
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

/** Opens the log to append to, private to its owner. When full it becomes `<path>.1`, that one `<path>.2`, and so on. */
export function openRotatingFile(path: string, { maxBytes, count }: RotationLimits = LIMITS): RotatingFile {
  let file = openLog(path);
  let size = fstatSync(file).size;
  const rotate = (): void => {
    closeSync(file);
    try {
      shift(path, count);
    } finally {
      file = openSync(path, 'a', PRIVATE_FILE);
      size = fstatSync(file).size;
    }
  };
  return {
    write(line) {
      const bytes = Buffer.from(line);
      try {
        if (size > 0 && size + bytes.length > maxBytes) rotate();
        size += writeSync(file, bytes);
      } catch {
        // The line is lost; there is no other place to say so.
      }
    },
    close: () => closeSync(file),
  };
}

function openLog(path: string): number {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
    return openSync(path, 'a', PRIVATE_FILE);
  } catch (cause) {
    throw fileError(cause, `open the log "${path}"`);
  }
}

/** The oldest is replaced by the one before it. */
function shift(path: string, count: number): void {
  for (let number = count - 1; number > 0; number -= 1) {
    const from = number === 1 ? path : `${path}.${number - 1}`;
    if (existsSync(from)) renameSync(from, `${path}.${number}`);
  }
}

const MOST_BYTES = 16 * 1024;

/** The last lines of a log; none where it cannot be read. */
export async function lastLines(path: string, count: number): Promise<readonly string[]> {
  try {
    await using file = await open(path, 'r');
    const { size } = await file.stat();
    const start = Math.max(0, size - MOST_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MOST_BYTES), 0, MOST_BYTES, start);
    const lines = buffer.toString('utf8', 0, bytesRead).trimEnd().split('\n');
    // The first one may have been cut.
    return lines.slice(start === 0 ? 0 : 1).slice(-count);
  } catch {
    return [];
  }
}
