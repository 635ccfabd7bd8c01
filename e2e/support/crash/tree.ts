import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Every file, folder and link below a folder, by relative path, with all that a step may change about it. */
export type Tree = Readonly<Record<string, string>>;

/** Takes a picture of a folder. Paths in `except` are left out, with all below them. */
export async function pictureOf(folder: string, except: readonly string[] = []): Promise<Tree> {
  const entries: [string, string][] = [];
  async function visit(path: string): Promise<void> {
    const name = relative(folder, path);
    if (except.includes(name)) return;
    const facts = await lstat(path);
    const mode = (facts.mode & 0o7777).toString(8);
    if (facts.isSymbolicLink()) entries.push([name, `link to ${await readlink(path)}`]);
    else if (facts.isFile()) entries.push([name, `file ${mode} ${await digestOf(path)}`]);
    else entries.push([`${name}/`, `folder ${mode}`]);
    if (facts.isDirectory()) for (const child of (await readdir(path)).toSorted()) await visit(join(path, child));
  }
  await visit(folder);
  return Object.fromEntries(entries);
}

async function digestOf(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}
