import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { win32 } from 'node:path';

/** What a file of ours beside another is: one that had to make room, or one that is not whole yet. */
export type BesideKind = 'old' | 'tmp';

/** A name beside `path` that nobody else takes, and that `findBeside` knows by its form. */
export function besideName(path: string, kind: BesideKind): string {
  return `${path}.${randomBytes(6).toString('hex')}.${kind}`;
}

/** Whether a name is one that `besideName` gave beside `name`. Windows does not tell cases apart. */
export function isBeside(candidate: string, name: string, kind: BesideKind): boolean {
  const rest = candidate.slice(name.length).toLowerCase();
  if (!candidate.toLowerCase().startsWith(name.toLowerCase())) return false;
  return new RegExp(`^\\.[0-9a-f]{12}\\.${kind}$`).test(rest);
}

/** The files of this kind beside `path`, those of runs that were killed included. */
export async function findBeside(path: string, kind: BesideKind): Promise<string[]> {
  const { dir, base } = win32.parse(win32.resolve(path));
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile() && isBeside(entry.name, base, kind));
  return files.map(({ name }) => win32.join(dir, name));
}
