import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { fileError } from '@fenestra/kernel';

/** A name beside `path` that nobody else takes. */
export function besideName(path: string, ending: string): string {
  return `${path}.${randomBytes(6).toString('hex')}.${ending}`;
}

/** Runs `fill` with a temporary name beside `path` and removes what is left under it if that fails. */
export async function withTemporary<T>(path: string, action: string, fill: (temporary: string) => Promise<T>) {
  const temporary = besideName(path, 'tmp');
  try {
    return await fill(temporary);
  } catch (cause) {
    // What failed is what matters; a leftover that cannot be removed either must not hide it.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw fileError(cause, action);
  }
}
