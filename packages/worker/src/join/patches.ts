import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type PatchReading, readPatches } from '@fenestra/contracts/kube';
import { fileError } from '@fenestra/kernel';
import type { Membership } from '../worker-record.ts';

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

/** The patches for another version: the operator's, or else those that the worker has had so far. */
export async function choosePatches(
  folder: string | undefined,
  membership: Membership | undefined,
): Promise<PatchReading> {
  if (folder !== undefined) return readPatchFolder(folder);
  if (membership === undefined) return { patches: [], warnings: [UNKNOWN] };
  const { patches = [] } = membership;
  const names = [...new Set(patches.map(({ source }) => `"${source}"`))].join(', ');
  const kept = `The kubelet's configuration keeps the patches ${names}; "--patches" replaces them`;
  return { patches, warnings: patches.length === 0 ? [] : [kept] };
}

const UNKNOWN =
  'keadm did not join this worker and has no record of its patches: if there are any, give them with "--patches"';
