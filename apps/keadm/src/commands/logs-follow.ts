import { open, stat, type FileHandle } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileError, systemCodeOf } from '@fenestra/kernel';

const POLL_MS = 200;
const CHUNK_BYTES = 64 * 1024;

/**
 * The lines that are added to a log behind a position, until the signal fires. When the log is rotated away the rest of the old file comes
 * first, then the new one from its beginning. A log that is not there yet is waited for.
 */
export async function* followLog(path: string, position: number, signal: AbortSignal): AsyncGenerator<string> {
  let at = position;
  while (!signal.aborted) {
    const file = await openIfThere(path);
    if (file !== undefined) yield* readUntilRotated(path, file, at, signal);
    // Whatever comes next is a new file.
    at = file === undefined ? at : 0;
    await pauseFor(signal);
  }
}

async function* readUntilRotated(
  path: string,
  file: FileHandle,
  position: number,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let at = position;
  let rest = Buffer.alloc(0);
  try {
    while (!signal.aborted) {
      // Asked before reading: what is written to the old file between the two is still read from it.
      const rotated = await isAnother(path, file, at);
      for (let chunk = await readChunk(file, at); chunk.length > 0; chunk = await readChunk(file, at)) {
        at += chunk.length;
        const { lines, left } = splitLines(Buffer.concat([rest, chunk]));
        rest = left;
        yield* lines;
      }
      if (rotated) return;
      await pauseFor(signal);
    }
  } finally {
    await file.close();
  }
}

/** Cuts bytes into lines; the last one, which has no end yet, is left. */
export function splitLines(bytes: Buffer): { readonly lines: readonly string[]; readonly left: Buffer<ArrayBuffer> } {
  const end = bytes.lastIndexOf(0x0a) + 1;
  const lines = bytes
    .toString('utf8', 0, end)
    .split('\n')
    .filter((line) => line !== '');
  return { lines, left: Buffer.from(bytes.subarray(end)) };
}

/** Whether the path leads to another file by now, or this one was emptied. */
async function isAnother(path: string, file: FileHandle, position: number): Promise<boolean> {
  const own = await file.stat({ bigint: true });
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found === undefined || found.ino !== own.ino || own.size < position;
}

async function readChunk(file: FileHandle, position: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, position);
  return buffer.subarray(0, bytesRead);
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  return open(path, 'r').catch((cause: unknown) => {
    if (systemCodeOf(cause) === 'ENOENT') return undefined;
    throw fileError(cause, `read the log "${path}"`);
  });
}

async function pauseFor(signal: AbortSignal): Promise<void> {
  await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
}
