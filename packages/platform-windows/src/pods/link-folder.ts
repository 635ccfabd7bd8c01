import { lstat, rm, symlink } from 'node:fs/promises';
import { fileError, systemCodeOf } from '@fenestra/kernel';

/** What Windows answers on a file system without links. */
const NO_LINKS = ['EISDIR', 'ENOSYS', 'ENOTSUP'];

/** Makes a link to a folder in place of another one. Windows replaces no link to a folder: for a moment there is none. */
export async function linkFolder(link: string, target: string): Promise<boolean> {
  try {
    await rm(link, { force: true });
    await symlink(target, link, 'dir');
  } catch (cause) {
    if (NO_LINKS.includes(systemCodeOf(cause))) return false;
    throw fileError(cause, `link "${link}" to "${target}"`);
  }
  // Wine answers that it made the link, and makes nothing.
  const made = await lstat(link).catch(() => undefined);
  return made?.isSymbolicLink() === true;
}
