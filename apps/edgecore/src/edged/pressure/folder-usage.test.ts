import { execFileSync } from 'node:child_process';
import { link, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { folderUsage } from './folder-usage.ts';

const { signal } = new AbortController();
const KIBIBYTE = 1024;
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fenestra-usage-'));
});
afterEach(async () => rm(folder, { recursive: true, force: true }));

test('a folder uses what "du" says, whatever is in it', async () => {
  await mkdir(join(folder, 'a/b'), { recursive: true });
  await writeFile(join(folder, 'a/b/file'), Buffer.alloc(300 * KIBIBYTE, 1));
  await link(join(folder, 'a/b/file'), join(folder, 'a/second-name'));
  await symlink('/', join(folder, 'link-out'));
  await Promise.all(Array.from({ length: 200 }, async (_, index) => writeFile(join(folder, `small-${index}`), 'x')));
  const [expected = ''] = execFileSync('du', ['-sx', '--block-size=512', folder], { encoding: 'utf8' }).split('\t');
  const { bytes, inodes } = await folderUsage(folder, signal);
  expect(bytes).toBe(Number(expected) * 512);
  expect(inodes).toBe(205);
});

test.each([63, 64, 65, 128])('all of %d files in a folder count', async (count) => {
  await Promise.all(Array.from({ length: count }, async (_, index) => writeFile(join(folder, `${index}`), 'x')));
  expect((await folderUsage(folder, signal)).inodes).toBe(count + 1);
});

test('a folder that is not there uses nothing', async () => {
  expect(await folderUsage(join(folder, 'absent'), signal)).toEqual({ bytes: 0, inodes: 0 });
});

test('measuring ends when the signal fires', async () => {
  await writeFile(join(folder, 'file'), 'x');
  await expect(folderUsage(folder, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
});
