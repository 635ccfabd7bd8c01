import { once } from 'node:events';
import { getBuiltinModule } from 'node:process';
import type { Writable } from 'node:stream';
import type { PassingStreams } from '@fenestra/keadm';

const STDIN = 0;
const STDOUT = 1;

/** The standard streams, for a program that runs in a container. */
export function passingStreams(): PassingStreams {
  const { isatty } = getBuiltinModule('node:tty');
  // Each write reports how it failed. Without a listener, the event would end the process as well.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  return {
    input: process.stdin,
    out: async (bytes) => writeAll(process.stdout, bytes),
    err: async (bytes) => writeAll(process.stderr, bytes),
    terminal: isatty(STDIN) && isatty(STDOUT) ? { inRawMode, sizes: terminalSizes } : undefined,
  };
}

async function writeAll(stream: Writable, bytes: Uint8Array): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  stream.write(bytes, (cause) => (cause ? reject(cause) : resolve()));
  return promise;
}

async function inRawMode<Result>(work: () => Promise<Result>): Promise<Result> {
  process.stdin.setRawMode(true);
  try {
    return await work();
  } finally {
    process.stdin.setRawMode(false);
    process.stdin.pause();
  }
}

async function* terminalSizes(): AsyncGenerator<{ readonly columns: number; readonly rows: number }> {
  for (;;) {
    const { columns, rows } = process.stdout;
    yield { columns, rows };
    await once(process.stdout, 'resize');
  }
}
