import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const MODULE = join(import.meta.dirname, '../scripts/kill-with-parent.ts');
const PRINT = `import { contained } from ${JSON.stringify(MODULE)}; console.log(contained(['true']).join(' '))`;

test.each([
  [0, true],
  [1, false],
])('where "unshare" ends with status %i, a command is put in namespaces: %s', (status, isContained) => {
  const folder = mkdtempSync(join(tmpdir(), 'unshare-'));
  writeFileSync(join(folder, 'unshare'), `#!/bin/sh\nexit ${status}\n`, { mode: 0o755 });
  const words = ['--input-type=module', '-e', PRINT];
  const out = execFileSync(process.execPath, words, { encoding: 'utf8', env: { PATH: folder } });
  expect(out.includes('unshare')).toBe(isContained);
  expect(out.trim().endsWith('true')).toBe(true);
});
