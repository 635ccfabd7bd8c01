import { constants } from 'node:fs';
import { lstat, open, rm, unlink, type FileHandle } from 'node:fs/promises';
import { OperatorError, systemCodeOf } from '@fenestra/kernel';

/** libuv's flag for a file that nobody else may open meanwhile. Only Windows knows it. */
const UNSHARED = 0x1000_0000;
const CREATE_NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | UNSHARED;

/**
 * Runs `fill` with the name under which a copy to `path` grows, and removes what is there if that fails. The name is
 * always the same, so that whatever a killed copy left behind goes with the next one.
 */
export async function withPartial<T>(path: string, fill: (partial: string) => Promise<T>): Promise<T> {
  const partial = `${path}.partial`;
  await removeLeftover(partial);
  try {
    return await fill(partial);
  } catch (cause) {
    // What failed is what matters; a leftover that cannot be removed either must not hide it.
    await rm(partial, { force: true }).catch(() => undefined);
    throw cause;
  }
}

/** Creates the partial file for one writer alone: a second copy to the same target is refused, not mixed in. */
export async function createPartial(partial: string): Promise<FileHandle> {
  return open(partial, CREATE_NEW);
}

async function removeLeftover(partial: string): Promise<void> {
  try {
    const found = await lstat(partial);
    if (!found.isFile()) throw notAFile(partial);
    await unlink(partial);
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT') throw error;
  }
}

function notAFile(partial: string): OperatorError {
  return new OperatorError('UNSAFE_PATH', `Cannot write "${partial}", because it is a link or a folder`, {
    hint: `Delete "${partial}", then run the command again.`,
  });
}
