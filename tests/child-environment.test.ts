import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const STARTS = /\b(?:spawn|execFile|fork|execve|exec)\)?\(/g;
const ENVIRONMENTS = /\b(?:child|ssh|clean|unit)Environment\(/g;

/** Files of the product that start programs; not tests and their helpers. */
const starters = globSync('{packages,apps}/*/src/**/*.ts', { cwd: ROOT })
  .filter((file) => !/\.test\.ts$|\/testing\/|\/contract\//.test(file))
  .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }))
  .filter(
    ({ file, text }) =>
      /import \{[^}]*\} from 'node:child_process'|execve/.test(text) && !file.endsWith('runtime-variables.ts'),
  )
  .filter(({ text }) => text.replaceAll(/\.exec\(/g, '').match(STARTS) !== null);

test.each(starters)('$file gives every program that it starts a clean environment', ({ text }) => {
  const starts = text.replaceAll(/\.exec\(/g, '').match(STARTS) ?? [];
  expect(text.match(ENVIRONMENTS)?.length ?? 0).toBeGreaterThanOrEqual(starts.length);
});
