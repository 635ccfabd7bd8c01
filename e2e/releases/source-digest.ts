import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from '../beds/checkout.ts';

/** Everything that the test executables and their releases are made from. */
const SOURCES = [
  '{apps,packages}/*/package.json',
  '{apps,packages}/*/src/**/*.ts',
  'build/*.ts',
  'build/runtimes/package-lock.json',
  'e2e/releases/*.ts',
  'package.json',
  'package-lock.json',
];

/** A short name for the state all those files are in. */
export function sourceDigest(): string {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap((pattern) => globSync(pattern, { cwd: CHECKOUT })).toSorted()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(CHECKOUT, file)))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}
