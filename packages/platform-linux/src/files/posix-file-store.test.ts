import { mkdtempSync, rmSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileStoreContract } from '@fenestra/platform/contract';
import { afterAll, expect, test } from 'vitest';
import { testContract } from '../testing/contract-tests.ts';
import { posixFileStore } from './posix-file-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'fenestra-files-'));
const files = posixFileStore();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

testContract(
  fileStoreContract({ files, folder, longRunning: { executable: '/bin/sleep', args: ['60'] }, cannotShow: {} }),
);

test('removeTree deletes what is in a folder that is read-only for its owner', async () => {
  await mkdir(join(folder, 'locked', 'inner'), { recursive: true });
  await writeFile(join(folder, 'locked', 'inner', 'file'), '');
  await chmod(join(folder, 'locked', 'inner'), 0o500);
  await files.removeTree(join(folder, 'locked'), folder, AbortSignal.timeout(5_000));
  expect(await readdir(folder)).not.toContain('locked');
});

test("replace deletes what a killed one has left for the same file, and nothing that may be in use or someone else's", async () => {
  const own = join(folder, 'leftovers');
  const [stale, fresh] = ['.x.0123456789abcdef.tmp', '.x.fedcba9876543210.tmp'];
  const others = ['.xy.0123456789abcdef.tmp', '.x.notes.tmp', 'x.tmp'];
  await mkdir(own);
  for (const name of [stale, fresh, ...others]) await writeFile(join(own, name), '');
  for (const name of [stale, ...others]) await utimes(join(own, name), 0, 0);
  await files.replace(join(own, 'x'), 'content');
  expect((await readdir(own)).toSorted()).toEqual([fresh, 'x', ...others].toSorted());
});

test('replace works for a name as long as the file system allows', async () => {
  const path = join(folder, 'ü'.repeat(127));
  await files.replace(path, 'content');
  expect(await readFile(path, 'utf8')).toBe('content');
});

test('copy does not write through a link in the place of its partial file', async () => {
  const own = join(folder, 'linked');
  await mkdir(own);
  await writeFile(join(own, 'from'), 'content');
  await writeFile(join(own, 'victim'), 'untouched');
  await symlink(join(own, 'victim'), join(own, 'to.partial'));
  await files.copy(join(own, 'from'), join(own, 'to'), {}, AbortSignal.timeout(5_000));
  expect(await readFile(join(own, 'victim'), 'utf8')).toBe('untouched');
  expect((await readdir(own)).toSorted()).toEqual(['from', 'to', 'victim']);
});

test("of two copies to the same place, none brings the other's half into place", async () => {
  const own = join(folder, 'rivals');
  await mkdir(own);
  for (const name of ['one', 'two']) await writeFile(join(own, name), name.repeat(2 ** 20));
  const copy = (name: string): Promise<unknown> =>
    files.copy(join(own, name), join(own, 'to'), {}, AbortSignal.timeout(5_000));
  await Promise.allSettled([copy('one'), copy('two')]);
  const found = await readFile(join(own, 'to'), 'utf8').catch(() => undefined);
  expect([undefined, 'one'.repeat(2 ** 20), 'two'.repeat(2 ** 20)].includes(found)).toBe(true);
});
