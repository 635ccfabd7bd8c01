import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCodeOf } from '@fenestra/kernel';
import { isManifestName, type ManifestFile } from '@fenestra/pods';
import type { AccessControl } from '@fenestra/platform';

/** What a folder of static pods holds, or why it cannot be used. */
export type FolderLook =
  | { readonly files: readonly ManifestFile[]; readonly otherNames: readonly string[] }
  | { readonly problem: string };

/** What looking takes. */
export interface FolderOptions {
  readonly access: Pick<AccessControl, 'exposures'>;
  readonly now: () => number;
}

/** A file that changed less than this ago may still be being written. */
export const SETTLE_MS = 1_000;
/** As much as the API takes of an object. */
const MOST_BYTES = 1_048_576;

/** Reads the files of a folder. One that is missing is empty. Only what no other account could change counts. */
export async function lookAtFolder(folder: string, options: FolderOptions): Promise<FolderLook> {
  try {
    const names = (await readdir(folder)).filter((name) => !name.startsWith('.'));
    const exposures = await options.access.exposures(folder, 'node');
    if (exposures.length > 0) return { problem: exposures.join(', ') };
    const manifests = names.filter(isManifestName).toSorted();
    const files = await Promise.all(manifests.map(async (name) => lookAtFile(join(folder, name), options)));
    return { files: files.flat(), otherNames: names.filter((name) => !isManifestName(name)) };
  } catch (cause) {
    if (systemCodeOf(cause) === 'ENOENT') return { files: [], otherNames: [] };
    return { problem: textOf(cause) };
  }
}

/** A file that is gone by now, or is a folder, is none. */
async function lookAtFile(file: string, { access, now }: FolderOptions): Promise<readonly ManifestFile[]> {
  try {
    const exposures = await access.exposures(file, 'node');
    if (exposures.length > 0) return [{ file, problem: exposures.join(', ') }];
    const found = await stat(file);
    if (found.isDirectory()) return [];
    if (!found.isFile()) return [{ file, problem: 'it is not a regular file' }];
    if (found.size > MOST_BYTES) return [{ file, problem: 'it is larger than 1 MiB' }];
    const age = now() - found.mtimeMs;
    if (age >= 0 && age < SETTLE_MS) return [{ file }];
    return [{ file, text: await readFile(file, 'utf8') }];
  } catch (cause) {
    return systemCodeOf(cause) === 'ENOENT' ? [] : [{ file, problem: textOf(cause) }];
  }
}

function textOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
