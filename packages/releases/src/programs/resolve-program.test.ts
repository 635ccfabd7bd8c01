import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { executableTarget } from '../executable-target.ts';
import { readHeader } from '../sources/local-files.ts';
import { fileDigest } from './file-digest.ts';
import { publishedPlaces, resolveProgram, type ProgramRequest } from './resolve-program.ts';

/** A program that answers to `--version` as kubelet does: the very one that runs this test. */
const PROGRAM = process.execPath;
const signal = new AbortController().signal;
let folder = '';
let sha256 = '';
let request: ProgramRequest;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'programs-'));
  sha256 = await fileDigest(PROGRAM, 'sha256');
  const target = executableTarget(await readHeader(PROGRAM));
  if (target === undefined) throw new Error('this test runs by no program');
  request = { name: 'kubelet', from: folder, version: process.version, target, withoutChecksum: false, variables: {} };
});
afterAll(async () => rm(folder, { recursive: true }));

async function published(path: string, checksum?: string): Promise<string> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await symlink(PROGRAM, file);
  if (checksum !== undefined) await writeFile(`${file}.sha256`, checksum);
  return file;
}

test('a program as Kubernetes publishes it is found and proved by its checksum', async () => {
  const file = await published(
    `published/${publishedPlaces({ ...request, name: 'kubelet', version: process.version })[1]}`,
    `${sha256}\n`,
  );
  const found = await resolveProgram({ ...request, from: join(folder, 'published') }, signal);
  expect(found).toMatchObject({ name: 'kubelet', version: process.version, location: file });
  expect(found.digest).toEqual({ algorithm: 'sha256', hex: sha256 });
});

test('a program without a checksum needs that the operator vouches for it', async () => {
  await published('bare/kubelet');
  const bare = { ...request, from: join(folder, 'bare') };
  await expect(resolveProgram(bare, signal)).rejects.toMatchObject({
    code: 'RELEASE_UNTRUSTED',
    hint: expect.stringContaining('--without-checksum'),
  });
  await expect(resolveProgram({ ...bare, withoutChecksum: true }, signal)).resolves.toMatchObject({ name: 'kubelet' });
});

test('a program that is not what its checksum says is refused even if the operator vouches for it', async () => {
  await published('spoilt/kubelet', '0'.repeat(64));
  const spoilt = { ...request, from: join(folder, 'spoilt'), withoutChecksum: true };
  await expect(resolveProgram(spoilt, signal)).rejects.toMatchObject({ code: 'RELEASE_INVALID' });
});

test('a program that says another version than was asked for is refused', async () => {
  await published('other/kubelet', sha256);
  const other = { ...request, from: join(folder, 'other'), version: 'v1.33.1' };
  await expect(resolveProgram(other, signal)).rejects.toMatchObject({
    code: 'RELEASE_INVALID',
    message: expect.stringContaining(process.version),
  });
});

test('a folder without the program, and a path that is not a folder, are each reported', async () => {
  await mkdir(join(folder, 'empty'));
  await expect(resolveProgram({ ...request, from: join(folder, 'empty') }, signal)).rejects.toMatchObject({
    code: 'RELEASE_INVALID',
    message: expect.stringContaining('bin/'),
  });
  await expect(resolveProgram({ ...request, from: PROGRAM }, signal)).rejects.toMatchObject({ code: 'USAGE' });
});

test('publishedPlaces looks where Kubernetes publishes first, and for the bare program last', () => {
  expect(publishedPlaces({ name: 'kubelet', version: 'v1.33.1', target: { os: 'linux', arch: 'x64' } })).toEqual([
    'v1.33.1/bin/linux/amd64/kubelet',
    'bin/linux/amd64/kubelet',
    'v1.33.1/kubelet',
    'kubelet',
  ]);
});

test('publishedPlaces has the endings of Windows', () => {
  const places = publishedPlaces({ name: 'kube-proxy', version: 'v1.33.1', target: { os: 'windows', arch: 'arm64' } });
  expect(places[1]).toBe('bin/windows/arm64/kube-proxy.exe');
  expect(places.at(-1)).toBe('kube-proxy.exe');
});
