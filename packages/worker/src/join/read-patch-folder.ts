import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { readPatches, type PatchReading } from '@fenestra/contracts/kube';
import { fileError } from '@fenestra/kernel';

const NO_PATCHES: PatchReading = { patches: [], warnings: [] };

/** The patches in a folder and the folders below it; none where no folder is named. */
export async function readPatchFolder(folder: string | undefined): Promise<PatchReading> {
  if (folder === undefined) return NO_PATCHES;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((cause: unknown) => {
    throw fileError(cause, `read the patches in "${folder}"`);
  });
  const paths = entries.filter((entry) => !entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name));
  return readPatches(await Promise.all(paths.map(async (path) => readPatch(path, folder))));
}

async function readPatch(path: string, folder: string): Promise<{ readonly name: string; readonly text: string }> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw fileError(cause, `read the patch "${path}"`);
  });
  return { name: relative(folder, path), text };
}
