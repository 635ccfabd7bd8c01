import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
/** Everything that executables are made from. */
const SOURCES = [
  '{apps,packages}/*/package.json',
  '{apps,packages}/*/src/**/*.ts',
  'build/*.ts',
  'build/runtimes/package-lock.json',
  'package.json',
  'package-lock.json',
];

/** A short name for the state all those files are in, and these besides. */
export function sourceDigest(besides: readonly string[] = []): string {
  const hash = createHash('sha256');
  for (const file of [...SOURCES, ...besides].flatMap((pattern) => globSync(pattern, { cwd: ROOT })).toSorted()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}
