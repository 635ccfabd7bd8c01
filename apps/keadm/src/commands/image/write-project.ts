import { mkdir, readdir, rm, rmdir, writeFile } from 'node:fs/promises';
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
    hint: 'Give a new or empty folder.',
  });
}

/** Writes all of it, or nothing. */
export async function writeProject(folder: string, files: readonly ProjectFile[]): Promise<void> {
  await requireEmpty(folder);
  const paths = files.map(({ path }) => join(folder, ...path.split('/')));
  const made = await mkdir(folder, { recursive: true }).catch(refuse(folder));
  try {
    for (const [index, { text }] of files.entries()) await writeNew(paths[index] ?? folder, text);
  } catch (error) {
    await takeBack(paths, made === undefined ? folder : dirname(made));
    throw error;
  }
}

/** Deletes the written files, and the empty folders below `kept`. */
async function takeBack(paths: readonly string[], kept: string): Promise<void> {
  for (const path of paths) await rm(path, { force: true }).catch(() => undefined);
  for (const path of paths) {
    for (let folder = dirname(path); folder !== kept; folder = dirname(folder)) {
      await rmdir(folder).catch(() => undefined);
    }
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
