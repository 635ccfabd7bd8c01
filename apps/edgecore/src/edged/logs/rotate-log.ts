import { createReadStream, createWriteStream } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { ContainerRuntime } from '@fenestra/cri';
import { planRotation } from '@fenestra/cri/logs';
import { type Logger, pathExists } from '@fenestra/platform';
import { failureFields } from '../../modules/describe-failure.ts';
import type { LogRotationSettings } from '../edged-settings.ts';

/** The log of one instance of a container. */
export interface ContainerLog {
  /** The id of the instance. */
  readonly id: string;
  /** The folder of its container's logs. */
  readonly folder: string;
  readonly attempt: number;
}

/** What a rotation takes. */
export interface RotationTools {
  readonly runtime: Pick<ContainerRuntime, 'reopenLog'>;
  readonly settings: Pick<LogRotationSettings, 'maxFiles'>;
  readonly log: Logger;
  readonly now: () => number;
}

/**
 * Rotates one log. If this is interrupted, the next check goes on: what was compressed only in part is compressed again,
 * and the runtime is asked to open its file.
 */
export async function rotateLog(
  { id, folder, attempt }: ContainerLog,
  { runtime, settings, log, now }: RotationTools,
  signal: AbortSignal,
): Promise<void> {
  const names = await readdir(folder);
  const plan = planRotation({ names, attempt, maxFiles: settings.maxFiles, now: now() });
  for (const name of plan.remove) await rm(join(folder, name), { force: true });
  for (const name of plan.compress) {
    // A full disk must not keep a log from being rotated: the file stays as it is and counts.
    await compress(join(folder, name), signal).catch((cause: unknown) => {
      signal.throwIfAborted();
      log.warn('Cannot compress a rotated log', { file: join(folder, name), ...failureFields(cause) });
    });
  }
  const [path, rotated] = [join(folder, plan.rename.from), join(folder, plan.rename.to)];
  await rename(path, rotated);
  try {
    await runtime.reopenLog(id, signal);
  } catch (cause) {
    // The runtime may have opened its file before the call failed: then what it writes must not be replaced.
    if (!signal.aborted && !(await pathExists(path))) await rename(rotated, path);
    throw cause;
  }
}

/** Replaces a file by a compressed one. Until that is on the disk as a whole, the file stays. */
async function compress(path: string, signal: AbortSignal): Promise<void> {
  const temporary = `${path}.tmp`;
  const { mode } = await stat(path);
  try {
    await pipeline(createReadStream(path), createGzip(), createWriteStream(temporary, { mode }), { signal });
    await using file = await open(temporary, 'r+');
    await file.sync();
  } catch (cause) {
    await rm(temporary, { force: true });
    throw cause;
  }
  await rename(temporary, `${path}.gz`);
  await rm(path);
}
