import { isJsonObject, listAt, OperatorError, parseJson, stringAt } from '@fenestra/kernel';
import { connectSpdy, interrupted, type SpdyStream } from './spdy-connection.ts';

/** The size of a terminal, in characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** What a command in a container reads and writes. The connection ends when an output rejects. */
export interface ExecStreams {
  /** Without it, the command has no input. */
  readonly stdin?: AsyncIterable<Uint8Array> | undefined;
  readonly stdout: (bytes: Buffer) => Promise<void>;
  /** On a terminal, errors are a part of the output. */
  readonly stderr: (bytes: Buffer) => Promise<void>;
  /** The sizes of the terminal that the command runs on, beginning with the present one; without it, there is none. */
  readonly sizes?: AsyncIterable<TerminalSize> | undefined;
}

/** Connects a command, by the address that the runtime gave for it, and returns its exit code. */
export async function runExec(url: string, streams: ExecStreams, signal: AbortSignal): Promise<number> {
  const connection = await connectSpdy(url, signal);
  const close = (): void => connection.close();
  signal.addEventListener('abort', close, { once: true });
  try {
    const result = Promise.withResolvers<string>();
    let status = '';
    const take = async (bytes: Buffer): Promise<void> => void (status += bytes.toString());
    const passTo = (output: ExecStreams['stdout']) => async (bytes: Buffer) => output(bytes).catch(result.reject);
    connection.open('error', { onData: take, onEnd: () => result.resolve(status) });
    if (streams.stdin !== undefined) void send(connection.open('stdin'), streams.stdin);
    connection.open('stdout', { onData: passTo(streams.stdout) });
    if (streams.sizes === undefined) connection.open('stderr', { onData: passTo(streams.stderr) });
    else void send(connection.open('resize'), encodeSizes(streams.sizes));
    await Promise.race([result.promise, connection.closed]);
    if (signal.aborted) throw interrupted();
    return exitCodeOf(status);
  } finally {
    signal.removeEventListener('abort', close);
    connection.close();
  }
}

/** An input that fails ends, as one that is closed. */
async function send(stream: SpdyStream, input: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const bytes of input) await stream.write(bytes);
  } catch {
    // The command finds the end of its input.
  }
  stream.end();
}

async function* encodeSizes(sizes: AsyncIterable<TerminalSize>): AsyncGenerator<Uint8Array> {
  for await (const { columns, rows } of sizes) yield Buffer.from(JSON.stringify({ Width: columns, Height: rows }));
}

/** Reads how a command ended: a `Status` of Kubernetes, in which the exit code is a cause. */
function exitCodeOf(text: string): number {
  const status = parseJson(text);
  if (!isJsonObject(status)) throw failed('the connection to the container runtime was lost');
  if (stringAt(status, 'status') === 'Success') return 0;
  const causes = listAt(status, 'details', 'causes');
  const code = causes.find((cause) => stringAt(cause, 'reason') === 'ExitCode');
  if (code === undefined) throw failed(stringAt(status, 'message'));
  return Number(stringAt(code, 'message'));
}

function failed(reason: string): OperatorError {
  return new OperatorError('COMMAND_FAILED', `Cannot run the command in the container: ${reason}`, {
    hint: 'Check that the program is in the image of the container.',
  });
}
