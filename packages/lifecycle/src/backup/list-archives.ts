import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArchiveName, type ArchiveName } from './archive-name.ts';
import { fileError } from '@fenestra/kernel';

/** An archive in a folder, as far as its name tells. */
export interface FoundArchive extends ArchiveName {
  readonly path: string;
  readonly bytes: number;
}

/** The archives in a folder, the newest first. */
export async function listArchives(folder: string): Promise<readonly FoundArchive[]> {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw fileError(cause, `list the folder "${folder}"`);
  });
  const archives = await Promise.all(names.map(async (name) => findArchive(folder, name)));
  return archives
    .filter((archive) => archive !== undefined)
    .toSorted((one, other) => other.created.localeCompare(one.created) || one.path.localeCompare(other.path));
}

async function findArchive(folder: string, name: string): Promise<FoundArchive | undefined> {
  const told = parseArchiveName(name);
  if (told === undefined) return undefined;
  const path = join(folder, name);
  const { size } = await stat(path);
  return { ...told, path, bytes: size };
}
