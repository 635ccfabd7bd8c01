import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ProjectFile } from '@fenestra/imaging';
import { fileError, OperatorError, systemCodeOf } from '@fenestra/kernel';

/** A folder with something in it may be somebody's work: nothing is written over. */
export async function requireEmpty(folder: string): Promise<void> {
  const names = await readdir(folder).catch((cause: unknown) => {
    if (systemCodeOf(cause) === 'ENOENT') return [];
    throw fileError(cause, `read the folder "${folder}"`);
  });
  if (names.length === 0) return;
  throw new OperatorError('USAGE', `Cannot write a project to "${folder}": it is not empty`, {
    hint: 'Name a folder that is empty or not there yet.',
  });
}

/** Writes all of it, or nothing. */
export async function writeProject(folder: string, files: readonly ProjectFile[]): Promise<void> {
  await requireEmpty(folder);
  const made = await mkdir(folder, { recursive: true }).catch(refuse(folder));
  try {
    for (const { path, text } of files) await writeNew(join(folder, ...path.split('/')), text);
  } catch (error) {
    const begun = made ?? files.map(({ path }) => join(folder, path.split('/')[0] ?? path));
    for (const path of [begun].flat()) await rm(path, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
}

async function writeNew(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true }).catch(refuse(dirname(file)));
  await writeFile(file, text, { flag: 'wx' }).catch(refuse(file));
}

function refuse(path: string): (cause: unknown) => never {
  return (cause) => {
    throw fileError(cause, `write "${path}"`);
  };
}
