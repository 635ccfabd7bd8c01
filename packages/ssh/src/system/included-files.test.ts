import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { includedFiles } from './config-keywords.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fenestra-included-'));
  await mkdir(join(folder, 'inner'));
  for (const name of ['a.conf', 'b.conf', '.c.conf', 'd', 'inner/e.conf']) await writeFile(join(folder, name), '');
});
afterAll(async () => rm(folder, { recursive: true }));

test.each([
  ['*.conf', ['a.conf', 'b.conf']],
  ['?.conf', ['a.conf', 'b.conf']],
  ['.*', ['.c.conf']],
  ['d', ['d']],
  ['[ax].conf', ['a.conf']],
  ['in*/*.conf', ['e.conf']],
  ['none', ['none']],
  ['none/*.conf', []],
])('an Include of %s means %j', async (pattern, expected) => {
  const found = await includedFiles(join(folder, pattern));
  expect(found.map((file) => basename(file)).toSorted()).toEqual(expected);
});
