import { lstat, readdir } from 'node:fs/promises';
import { fileError, systemCodeOf } from '@fenestra/kernel';
import { mountPointsBelow } from '../mount-points.ts';
import type { FolderListing } from './judge-folders.ts';

/** Lists the folders that are there. */
export async function listFolders(paths: readonly string[]): Promise<readonly FolderListing[]> {
  const listings = await Promise.all(paths.map(listFolder));
  return listings.filter((listing) => listing !== undefined);
}

async function listFolder(path: string): Promise<FolderListing | undefined> {
  try {
    const [entries, found] = await Promise.all([readdir(path), lstat(path)]);
    return { path, entries, link: found.isSymbolicLink(), mountPoints: await mountPointsBelow(path) };
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCodeOf(cause))) return undefined;
    throw fileError(cause, `list the folder "${path}"`);
  }
}
