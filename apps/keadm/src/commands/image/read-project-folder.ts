import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileError } from '@fenestra/kernel';

/** Deeper than any project is. */
const MOST_DEPTH = 5;
/** Larger files are no text of a project; that they are there is all that matters. */
const MOST_BYTES = 1024 * 1024;
/** What Packer and its kin keep for themselves. */
const NOT_OURS = ['.git', 'packer_cache', 'node_modules', 'output'];

/** The files below a folder by their paths, with `/`; Packer itself reads those at the top alone. */
export async function readProjectFolder(folder: string): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  await addFiles(folder, '', files);
  return files;
}

async function addFiles(folder: string, prefix: string, files: Map<string, string>): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw fileError(cause, `read the folder "${folder}"`);
  });
  for (const entry of entries) {
    const [path, shown] = [join(folder, entry.name), `${prefix}${entry.name}`];
    const text = entry.isFile() || entry.isSymbolicLink() ? await textIfFile(path) : undefined;
    if (text !== undefined) files.set(shown, text);
    else if (entry.isDirectory() && !NOT_OURS.includes(entry.name) && shown.split('/').length < MOST_DEPTH)
      await addFiles(path, `${shown}/`, files);
  }
}

/** `undefined` for a link that leads to a folder. */
async function textIfFile(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path);
    if (!found.isFile()) return undefined;
    return found.size > MOST_BYTES ? '' : await readFile(path, 'utf8');
  } catch (cause) {
    throw fileError(cause, `read "${path}"`);
  }
}
