import { randomBytes } from 'node:crypto';
import { lstat, readdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { placeFile } from './place-file.ts';

const LEFT_BEHIND_MS = 10 * 60 * 1000;
/** In characters, so that the temporary name stays within 255 bytes whatever the target's name is. */
const MAX_STEM = 64;

/** Puts content in place in one move, and deletes what earlier replacements of the same file left when they were killed. */
export async function replaceFile(path: string, content: string | Uint8Array, mode: number): Promise<void> {
  const temporary = join(dirname(path), `${stemOf(path)}${randomBytes(8).toString('hex')}.tmp`);
  await placeFile({ path, temporary, mode, fill: (handle) => handle.writeFile(content) });
  // The new file is in place: leftovers that cannot be deleted now are not worth an error.
  await deleteLeftovers(path).catch(() => undefined);
}

function stemOf(path: string): string {
  return `.${basename(path).slice(0, MAX_STEM)}.`;
}

/** No replacement takes minutes; a younger file may belong to one that goes on right now. */
async function deleteLeftovers(path: string): Promise<void> {
  const [folder, stem] = [dirname(path), stemOf(path)];
  const names = (await readdir(folder)).filter((name) => name.startsWith(stem));
  for (const name of names.filter((found) => /^[0-9a-f]{16}\.tmp$/.test(found.slice(stem.length)))) {
    const { mtimeMs } = await lstat(join(folder, name));
    if (Date.now() - mtimeMs > LEFT_BEHIND_MS) await unlink(join(folder, name));
  }
}
