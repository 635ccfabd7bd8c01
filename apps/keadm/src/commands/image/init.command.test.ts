import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeProject } from './init.command.ts';

/** The second cannot be written: what is to be its folder is a file. */
const FAILING = [
  { path: 'scripts', text: 'a file' },
  { path: 'scripts/seal.ps1', text: '' },
];
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'project-'));
});
afterEach(async () => rm(folder, { recursive: true }));

test.each(['.', 'new/folder'])('a project that cannot be written whole leaves nothing in %s', async (below) => {
  await expect(writeProject(join(folder, below), FAILING)).rejects.toMatchObject({ hint: expect.any(String) });
  expect(await readdir(folder)).toEqual([]);
});
