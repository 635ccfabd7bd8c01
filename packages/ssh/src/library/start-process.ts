import { constants } from 'node:os';
import { Readable, Writable } from 'node:stream';
import type { OperatorError } from '@fenestra/kernel';
import { pause, type RemoteEnd, type RemoteProcess, throwIfAborted } from '@fenestra/platform';
import type { ClientChannel } from 'ssh2';
import { placeName } from '../host-keys/judge-host-key.ts';
import { lost } from '../remote-errors.ts';
import { type Connection, unlessGone } from './connection.ts';
import type { Way } from './open-socket.ts';

const SIGNALS: Readonly<Record<string, number>> = constants.signals;
const SIGNAL_BASE = 128;
/** A server that allows few sessions takes a moment to see that the last one has ended. */
const RETRY_DELAYS_MS = [20, 100, 500, 2000] as const;

/** Starts a command line in its own channel. */
export async function startProcess(
  connection: Connection,
  commandLine: string,
  signal: AbortSignal,
): Promise<RemoteProcess> {
  const activity = `running a command on ${placeName(connection.target)}`;
  const open = async (): Promise<RemoteProcess> =>
    openPatiently(
      connection,
      commandLine,
      (channel) => {
        const ended = untilEnd(connection, channel, activity, signal);
        // A caller that only reads the output must not be ended by an unhandled rejection.
        ended.catch(() => undefined);
        closeWhenAborted(channel, signal);
        return attachStreams(connection, channel, ended);
      },
      signal,
    );
  return unlessGone(connection, activity, open, signal);
}

/** Also after the command's end: what it has left running may hold the channel open, of which there are only a few. */
function closeWhenAborted(channel: ClientChannel, signal: AbortSignal): void {
  const close = (): void => channel.close();
  signal.addEventListener('abort', close, { once: true });
  channel.once('close', () => signal.removeEventListener('abort', close));
  if (signal.aborted) close();
}

async function openPatiently<T>(
  connection: Connection,
  commandLine: string,
  attach: (channel: ClientChannel) => T,
  signal: AbortSignal,
): Promise<T> {
  for (const delay of RETRY_DELAYS_MS) {
    try {
      return await openChannel(connection, commandLine, attach);
    } catch (error) {
      if (!isRefusedChannel(error)) throw error;
    }
    await pause(delay, 'waiting for another session', signal);
  }
  return openChannel(connection, commandLine, attach);
}

/** The library's error for a channel that the server refuses has its reason. */
function isRefusedChannel(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof Error && 'reason' in error.cause;
}

/** The end of a short command can arrive together with its start, so `attach` has to listen at once. */
async function openChannel<T>(
  { target, client }: Connection,
  commandLine: string,
  attach: (channel: ClientChannel) => T,
): Promise<T> {
  return new Promise((resolve, reject) => {
    client.exec(commandLine, (error, channel) => {
      if (error === undefined) resolve(attach(channel));
      else reject(lost(target, `it opens no channel (${error.message})`, error));
    });
  });
}

async function untilEnd(
  connection: Connection,
  channel: ClientChannel,
  activity: string,
  signal: AbortSignal,
): Promise<RemoteEnd> {
  const clean: (() => void)[] = [];
  try {
    return await new Promise((resolve, reject) => {
      const stop = (): void => reject(abortError(activity, signal));
      channel.once('exit', (code: number | null, by?: string) => resolve({ exitCode: exitCodeOf(code, by) }));
      channel.once('close', () =>
        reject(connection.gone() ?? lost(connection.target, 'the command ended without an exit code or a signal')),
      );
      clean.push(connection.onGone(reject));
      signal.addEventListener('abort', stop, { once: true });
      clean.push(() => signal.removeEventListener('abort', stop));
      if (signal.aborted) stop();
    });
  } finally {
    for (const undo of clean) undo();
  }
}

function attachStreams(connection: Connection, channel: ClientChannel, ended: Promise<RemoteEnd>): RemoteProcess {
  let exited = false;
  // The library ends the streams of a lost connection as if all had come.
  const failure = (): OperatorError | undefined => (exited ? undefined : connection.gone());
  const input = inputOf(channel, connection.way);
  const output = outputOf(channel, failure);
  const errors = outputOf(channel.stderr, failure);
  void settle();
  return { input, output, errors, ended };

  async function settle(): Promise<void> {
    try {
      await ended;
      exited = true;
      // A command that has ended reads no more; a writer would wait for ever.
      input.destroy(new Error('the command ended before it had read all of its input'));
    } catch (error) {
      for (const stream of [input, output, errors]) stream.destroy(error instanceof Error ? error : undefined);
    }
  }
}

function exitCodeOf(code: number | null, by: string | undefined): number {
  return code ?? SIGNAL_BASE + (SIGNALS[by ?? ''] ?? 0);
}

function abortError(activity: string, signal: AbortSignal): unknown {
  try {
    throwIfAborted(activity, signal);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** So much of the input may wait in memory before a writer has to wait. */
const INPUT_BUFFER_BYTES = 256 * 1024;

/** Writes to a command no faster than both the server's window and the network accept it. */
function inputOf(channel: ClientChannel, way: Way): Writable {
  return quiet(
    new Writable({
      highWaterMark: INPUT_BUFFER_BYTES,
      write(chunk: Buffer, _encoding, done) {
        // The library writes each packet in three parts; the system gets all of them in one call.
        way.cork();
        channel.write(chunk, (error) => {
          // The library respects the window but not the network's backpressure.
          if (error || !way.writableNeedDrain) done(error);
          else way.once('drain', () => done());
        });
        way.uncork();
      },
      final(done) {
        channel.end();
        done();
      },
    }),
  );
}

/** Reads from a command no faster than it is read here. `failure` tells, at its end, whether all of it has come. */
function outputOf(source: Readable, failure: () => Error | undefined): Readable {
  const output = new Readable({ read: () => void source.resume() });
  source.on('data', (chunk: Buffer) => {
    if (!output.push(chunk)) source.pause();
  });
  source.once('end', () => {
    const error = failure();
    if (error === undefined) output.push(null);
    else output.destroy(error);
  });
  return quiet(output);
}

/** The command's end reports the failure; no one has to listen to each of its streams too. */
function quiet<Stream extends Readable | Writable>(stream: Stream): Stream {
  stream.on('error', () => undefined);
  return stream;
}
