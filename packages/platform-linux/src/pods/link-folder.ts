import { rename, rm, symlink } from 'node:fs/promises';
import { fileError, systemCodeOf } from '@fenestra/kernel';

/** Makes a link to a folder, or replaces it at once: a reader always finds the one or the other. */
export async function linkFolder(link: string, target: string): Promise<boolean> {
  const next = `${link}_next`;
  try {
    await rm(next, { force: true });
    await symlink(target, next);
    await rename(next, link);
    return true;
  } catch (cause) {
    // The answer of a file system without links, such as that of a memory card.
    if (systemCodeOf(cause) === 'EPERM') return false;
    throw fileError(cause, `link "${link}" to "${target}"`);
  }
}
