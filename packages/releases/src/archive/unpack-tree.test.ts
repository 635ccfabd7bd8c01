import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { packTar, type TarEntry } from 'modern-tar';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { unpackTree } from './unpack-tree.ts';

const { signal } = new AbortController();
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unpack-'));
});
afterEach(async () => rm(folder, { recursive: true }));

async function archiveOf(entries: readonly TarEntry[]): Promise<string> {
  const archive = join(folder, 'a.tar.gz');
  await writeFile(archive, gzipSync(await packTar(entries)));
  return archive;
}

function file(name: string, body: string): TarEntry {
  return { header: { name, size: body.length, type: 'file' }, body };
}

test('unpackTree takes what is below one folder, and nothing else', async () => {
  const archive = await archiveOf([
    { header: { name: 'bin/', size: 0, type: 'directory' } },
    file('bin/one.exe', 'one'),
    file('bin/deep/two.exe', 'two'),
    file('LICENSE', 'text'),
  ]);
  const to = join(folder, 'to');
  await unpackTree({ archive, part: 'bin', to }, signal);
  expect((await readdir(to, { recursive: true })).toSorted()).toEqual(['deep', join('deep', 'two.exe'), 'one.exe']);
  expect(await readFile(join(to, 'one.exe'), 'utf8')).toBe('one');
});

test.each([
  ['points outside its folder', [file('bin/../../evil', 'x')]],
  ['is a symlink', [{ header: { name: 'bin/link', size: 0, type: 'symlink', linkname: '/etc/passwd' } } as const]],
  ['it contains no files in "bin/"', [file('elsewhere/one', 'x')]],
])('unpackTree refuses an archive that %s', async (reason, entries) => {
  const archive = await archiveOf(entries);
  await expect(unpackTree({ archive, part: 'bin', to: join(folder, 'to') }, signal)).rejects.toThrow(reason);
});

test('unpackTree says so of what is not an archive', async () => {
  const archive = join(folder, 'a.tar.gz');
  await writeFile(archive, 'no archive');
  await expect(unpackTree({ archive, part: 'bin', to: folder }, signal)).rejects.toThrow('not a gzipped tar archive');
});
