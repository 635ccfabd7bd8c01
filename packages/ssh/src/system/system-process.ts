import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  type RemoteEnd,
  type RemoteFile,
  type RemoteProcess,
  type RemoteTarget,
  throwIfAborted,
} from '@fenestra/platform';
import { placeName } from '../host-keys/judge-host-key.ts';
import { deliveryFailed, lost } from '../remote-errors.ts';
import { batchPath } from './config-keywords.ts';
import { notStarted, runSsh, sshEnvironment } from './run-ssh.ts';

/** What ssh ends with when it fails itself. */
const SSH_FAILED = 255;
const SIGNAL_BASE = 128;

/** A command to be started by the system's ssh. */
interface SystemCommand {
  readonly target: RemoteTarget;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Whether the connection is still there. */
  connected(): Promise<boolean>;
}

/** Starts ssh with a command line for the far end. */
export function startSystemProcess(command: SystemCommand, signal: AbortSignal): RemoteProcess {
  throwIfAborted(`running a command on ${placeName(command.target)}`, signal);
  const [program = 'ssh', ...args] = command.argv;
  const child = spawn(program, args, { stdio: 'pipe', env: sshEnvironment(command.env) });
  const ended = untilEnd(child, program, command, signal);
  // The failure is reported by the end; no one has to listen to each stream, nor to wait for the end.
  ended.catch(() => undefined);
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined);
  return { input: child.stdin, output: child.stdout, errors: child.stderr, ended };
}

async function untilEnd(
  child: ChildProcessWithoutNullStreams,
  program: string,
  command: SystemCommand,
  signal: AbortSignal,
): Promise<RemoteEnd> {
  const stop = (): void => void child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  try {
    const exitCode = await new Promise<number>((resolve, reject) => {
      child.once('error', (error) => reject(notStarted(program, error)));
      child.once('exit', (code, by) => resolve(code ?? SIGNAL_BASE + (by === null ? 0 : constants.signals[by])));
    });
    throwIfAborted(`running a command on ${placeName(command.target)}`, signal);
    if (exitCode === SSH_FAILED && !(await command.connected())) throw lost(command.target, 'ssh ended with it');
    return { exitCode };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

const PRIVATE_FILE = 0o600;

/** Runs the system's sftp with the lines of a batch file. */
interface SystemSftp {
  readonly target: RemoteTarget;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  argv(batchFile: string): readonly string[];
}

/** Sends a file by the system's sftp, which sends only what lies on a disk: so the content is written down first. */
export async function systemUpload(sftp: SystemSftp, file: RemoteFile, signal: AbortSignal): Promise<void> {
  const id = randomBytes(6).toString('hex');
  const local = join(sftp.folder, `upload-${id}`);
  const part = `${file.path}.${id}.part`;
  try {
    const output = createWriteStream(local, { mode: PRIVATE_FILE });
    await pipeline(file.content(), output, { signal });
    if (output.bytesWritten !== file.size)
      throw new Error(`its content has ${output.bytesWritten} bytes instead of ${file.size}`);
    // sftp creates the file with the rights of the one it sends.
    await chmod(local, file.mode);
    await runBatch(sftp, `${local}.batch`, [`put -p ${batchPath(local)} ${batchPath(part)}`], signal);
    await putInPlace(sftp, `${local}.batch`, part, file.path, signal);
  } catch (error) {
    throwIfAborted(`sending "${file.path}" to ${placeName(sftp.target)}`, signal);
    throw deliveryFailed(sftp.target, file.path, error);
  } finally {
    for (const path of [local, `${local}.batch`]) await rm(path, { force: true });
  }
}

async function putInPlace(
  sftp: SystemSftp,
  batchFile: string,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<void> {
  const rename = `rename ${batchPath(from)} ${batchPath(to)}`;
  try {
    await runBatch(sftp, batchFile, [rename], signal);
  } catch {
    // A server that cannot replace by renaming.
    await runBatch(sftp, batchFile, [`-rm ${batchPath(to)}`, rename], signal);
  }
}

async function runBatch(
  sftp: SystemSftp,
  batchFile: string,
  lines: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  await writeFile(batchFile, `${lines.join('\n')}\n`, { mode: PRIVATE_FILE });
  const { exitCode, said } = await runSsh(sftp.argv(batchFile), sftp.env, signal);
  if (exitCode !== 0) throw new Error(said.trim() || `sftp ended with ${exitCode ?? 'a signal'}`);
}
