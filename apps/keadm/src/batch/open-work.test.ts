import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeScratch, removeScratch } from './open-work.ts';

const files = { removeTree: async (path: string) => rm(path, { recursive: true }) };
let parent: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'scratch-'));
});
afterEach(async () => rm(parent, { recursive: true }));

test('makeScratch removes what killed runs have left, and nothing of others', async () => {
  const { pid: dead } = spawnSync('true');
  const others = [`keadm-batch-${process.pid}-mine`, 'keadm-batch-notes', 'else'];
  for (const name of [...others, `keadm-batch-${dead}-left`]) {
    await mkdir(join(parent, name));
    await writeFile(join(parent, name, 'program'), '');
  }
  const scratch = await makeScratch(files, parent);
  expect((await readdir(parent)).toSorted()).toEqual([...others, basename(scratch)].toSorted());
  await removeScratch(files, parent, scratch);
  expect((await readdir(parent)).toSorted()).toEqual(others.toSorted());
});

test('a parent that is not there is reported', async () => {
  await expect(makeScratch(files, join(parent, 'absent'))).rejects.toMatchObject({ code: 'PATH_NOT_FOUND' });
});
