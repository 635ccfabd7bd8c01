import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { throwIfAborted, type RemoteHost } from '@fenestra/platform';

const MOST_OUTPUT = 4 * 1024 * 1024;
const MOST_ERRORS = 8 * 1024;

/** A command line for a remote machine, and what it is given. */
export interface RemoteCommand {
  readonly line: string;
  /** What it is doing, to complete "… while …". */
  readonly activity: string;
  readonly input?: AsyncIterable<Uint8Array | string>;
  /** Told each line of output as it comes. */
  readonly onLine?: (line: string) => void;
}

/** What a remote command said, and how it ended. */
export interface CommandEnd {
  readonly exitCode: number;
  readonly output: string;
  /** The last of what it said to people. */
  readonly errors: string;
}

/** Runs a command line on a remote machine to its end. How it ends counts, not whether it read all of its input. */
export async function runRemote(host: RemoteHost, command: RemoteCommand, signal: AbortSignal): Promise<CommandEnd> {
  throwIfAborted(command.activity, signal);
  const over = new AbortController();
  try {
    const remote = await host.start(command.line, AbortSignal.any([signal, over.signal]));
    const texts = Promise.all([readLines(remote.output, command.onLine), readTail(remote.errors)]);
    // A connection that is lost is told of by the command's end.
    texts.catch(() => undefined);
    const sent = send(remote.input, command.input ?? nothing(), over.signal);
    const { exitCode } = await Promise.race([remote.ended, sent.then(async () => remote.ended)]);
    const [output, errors] = await texts;
    throwIfAborted(command.activity, signal);
    return { exitCode, output, errors };
  } catch (error) {
    throwIfAborted(command.activity, signal);
    throw error;
  } finally {
    over.abort();
  }
}

async function* nothing(): AsyncGenerator<string> {}

/** A reader that has gone away is no failure of ours; a source that cannot be read is. */
async function send(input: Writable, source: AsyncIterable<Uint8Array | string>, over: AbortSignal): Promise<void> {
  input.on('error', () => undefined);
  for await (const piece of source) {
    if (over.aborted || input.destroyed) return;
    if (!input.write(piece)) await once(input, 'drain', { signal: over }).catch(() => undefined);
  }
  input.end();
}

async function readLines(stream: Readable, onLine: ((line: string) => void) | undefined): Promise<string> {
  let kept = '';
  let open = '';
  stream.setEncoding('utf8');
  for await (const piece of stream) {
    const lines = `${open}${String(piece)}`.split('\n');
    open = (lines.pop() ?? '').slice(0, MOST_OUTPUT);
    for (const line of lines) onLine?.(line.replace(/\r$/, ''));
    if (onLine === undefined && kept.length < MOST_OUTPUT) kept += lines.map((line) => `${line}\n`).join('');
  }
  if (open !== '') onLine?.(open);
  return kept + open;
}

async function readTail(stream: Readable): Promise<string> {
  let kept = '';
  stream.setEncoding('utf8');
  for await (const piece of stream) kept = `${kept}${String(piece)}`.slice(-MOST_ERRORS);
  return kept.trim();
}
