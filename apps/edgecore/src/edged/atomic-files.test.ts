import { mkdtempSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writeAtomically, type VolumeTools } from './atomic-files.ts';

const parent = mkdtempSync(join(tmpdir(), 'fenestra-files-'));
afterAll(async () => rm(parent, { recursive: true }));

const WITHOUT_LINKS: VolumeTools = {
  folderMode: 0o755,
  keepsModes: false,
  setOwner: async () => {},
  removeFolder: async (path) => rm(path, { recursive: true }),
  linkFolder: async () => false,
};

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  const all = Object.entries(files).map(([path, text]) => ({ path, content: Buffer.from(text), mode: 0o400 }));
  await writeAtomically(folder, all, WITHOUT_LINKS);
}

/** The files of a volume, with their content. */
async function contentOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true });
  const files = await Promise.all(
    entries.map(async (path) => [path, await readFile(join(folder, path), 'utf8').catch(() => 'a folder')]),
  );
  return Object.fromEntries(files);
}

test('without links every file is replaced, and files that a volume does not have any more are removed', async () => {
  const folder = join(parent, 'replaced');
  await write(folder, { 'a/b': 'one', c: 'one', d: 'one' });
  await write(folder, { 'a/b': 'two', c: 'one' });
  expect(await contentOf(folder)).toEqual({ a: 'a folder', 'a/b': 'two', c: 'one' });
});

test('without links files that are the same are left alone', async () => {
  const folder = join(parent, 'same');
  await write(folder, { a: 'one' });
  const { ino } = await stat(join(folder, 'a'));
  await write(folder, { a: 'one' });
  expect((await stat(join(folder, 'a'))).ino).toBe(ino);
});

test('without links what a killed agent left is removed, and its files are replaced', async () => {
  const folder = join(parent, 'killed');
  await write(folder, { a: 'one' });
  await mkdir(join(folder, '..20260101'));
  await write(folder, { a: 'two' });
  expect(await contentOf(folder)).toEqual({ a: 'two' });
});
