import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type RemoteFile, type RemoteTarget, throwIfAborted } from '@fenestra/platform';
import { placeName } from '../host-keys/host-key-errors.ts';
import { deliveryFailed } from '../remote-errors.ts';
import { batchPath } from './config-value.ts';
import { runSsh } from './run-ssh.ts';

const PRIVATE_FILE = 0o600;

/** Runs the system's sftp with the lines of a batch file. */
export interface SystemSftp {
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
