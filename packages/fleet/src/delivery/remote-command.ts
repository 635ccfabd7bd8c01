import type { Readable, Writable } from 'node:stream';
import { systemCodeOf } from '@fenestra/kernel';
import { type RemoteHost, throwIfAborted } from '@fenestra/platform';

const MOST_OUTPUT = 4 * 1024 * 1024;
const MOST_ERRORS = 8 * 1024;
/** After a command's end its last words come at once, or never. */
const LAST_WORDS_MS = 5000;

/** A command line for a remote machine, and what it is given. */
export interface RemoteCommand {
  readonly line: string;
  /** What it is doing, to complete "… while …". */
  readonly activity: string;
  readonly input?: AsyncIterable<Uint8Array | string>;
  /** Called with each line of output as it comes. */
  readonly onLine?: (line: string) => void;
  /** Called with what it says to people, piece by piece: a question does not end its line. */
  readonly onErrors?: (piece: string) => void;
}

/** What a remote command said, and how it ended. */
export interface CommandEnd {
  readonly exitCode: number;
  readonly output: string;
  /** The last of what it said to people. */
  readonly errors: string;
}

/** Whether a command was killed, or ssh itself was: how it ended then says nothing about the command. */
export function wasKilled({ exitCode }: Pick<CommandEnd, 'exitCode'>): boolean {
  return exitCode > 128 && exitCode < 256;
}

/** Runs a command line on a remote machine until it ends. How it ends counts, not whether it read all of its input. */
export async function runRemote(
  host: Pick<RemoteHost, 'start'>,
  command: RemoteCommand,
  signal: AbortSignal,
  lastWordsMs = LAST_WORDS_MS,
): Promise<CommandEnd> {
  throwIfAborted(command.activity, signal);
  const over = new AbortController();
  try {
    const remote = await host.start(command.line, AbortSignal.any([signal, over.signal]));
    const texts = Promise.all([readLines(remote.output, command.onLine), readTail(remote.errors, command.onErrors)]);
    // A connection that is lost is reported by the command's end.
    texts.catch(() => undefined);
    const sent = writeThrough(remote.input, command.input ?? nothing());
    const { exitCode } = await Promise.race([remote.ended, sent.then(async () => remote.ended)]);
    const stopListening = listenUntilQuiet([remote.output, remote.errors], lastWordsMs);
    const [output, errors] = await texts.finally(stopListening);
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

/** Something that a profile or a command has left running may hold the output open for ever: it is not waited for. */
function listenUntilQuiet(streams: readonly Readable[], milliseconds = LAST_WORDS_MS): () => void {
  const timer = setTimeout(() => streams.forEach((stream) => stream.destroy()), milliseconds);
  for (const stream of streams) stream.on('data', () => timer.refresh());
  return () => clearTimeout(timer);
}

/** What comes, to the end or until no one listens any more. */
async function* piecesOf(stream: Readable): AsyncGenerator<string> {
  stream.setEncoding('utf8');
  try {
    for await (const piece of stream) yield String(piece);
  } catch (error) {
    if (systemCodeOf(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

/** Reads to the end, line by line; what no one takes is kept, up to a limit. */
async function readLines(stream: Readable, onLine: ((line: string) => void) | undefined): Promise<string> {
  let kept = '';
  let open = '';
  for await (const piece of piecesOf(stream)) {
    const lines = `${open}${piece}`.split('\n');
    open = (lines.pop() ?? '').slice(0, MOST_OUTPUT);
    for (const line of lines) onLine?.(line.replace(/\r$/, ''));
    if (onLine === undefined && kept.length < MOST_OUTPUT) kept += lines.map((line) => `${line}\n`).join('');
  }
  if (open !== '') onLine?.(open);
  return kept + open;
}

async function readTail(stream: Readable, onErrors: ((piece: string) => void) | undefined): Promise<string> {
  let kept = '';
  for await (const piece of piecesOf(stream)) {
    onErrors?.(piece);
    kept = `${kept}${piece}`.slice(-MOST_ERRORS);
  }
  return kept.trim();
}

/**
 * Writes piece after piece, each only when the one before has been taken, so that a source may use the same memory again,
 * then ends. A reader that has gone away is not a failure here; a source that cannot be read is.
 */
export async function writeThrough(target: Writable, source: AsyncIterable<Uint8Array | string>): Promise<void> {
  const gone = new Promise<void>((resolve) => target.once('close', resolve));
  target.on('error', () => undefined);
  for await (const piece of source) {
    if (target.destroyed) return;
    const written = new Promise<void>((resolve) => target.write(piece, () => resolve()));
    await Promise.race([written, gone]);
  }
  target.end();
}
