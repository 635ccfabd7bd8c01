import { randomBytes } from 'node:crypto';
import { readdir, lstat, rm } from 'node:fs/promises';
import { win32 } from 'node:path';
import { fileError } from '@fenestra/kernel';

/** What a file of ours beside another is: one that had to make room, or one that is not whole yet. */
export type BesideKind = 'old' | 'tmp';

/** A name beside `path` that no one else takes, and that `findBeside` knows by its form. */
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

const LEFT_BEHIND_MS = 10 * 60 * 1000;

/**
 * Runs `fill` with a temporary name beside `path`, and removes what is left under it if that fails. Afterwards it
 * deletes what earlier runs left there when they were killed.
 */
export async function withTemporary(path: string, action: string, fill: (temporary: string) => Promise<void>) {
  const temporary = besideName(path, 'tmp');
  try {
    await fill(temporary);
  } catch (cause) {
    // What failed is what matters; a leftover that cannot be removed either must not hide it.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw fileError(cause, action);
  }
  await removeLeftovers(path).catch(() => undefined);
}

/** No replacement takes minutes; a younger file may belong to one that goes on right now. */
async function removeLeftovers(path: string): Promise<void> {
  for (const leftover of await findBeside(path, 'tmp')) {
    const { mtimeMs } = await lstat(leftover);
    if (Date.now() - mtimeMs > LEFT_BEHIND_MS) await rm(leftover, { force: true });
  }
}
