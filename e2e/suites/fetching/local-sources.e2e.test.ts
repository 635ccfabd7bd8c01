import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { resolveAgentSource } from '@fenestra/releases';
import { afterAll, expect, test, vi } from 'vitest';
import {
  AGENT,
  AGENT_SHA256,
  ENVIRONMENT,
  releaseFiles,
  requestFor,
  scratchFolder,
  TARGET,
  upstreamFiles,
} from './fetching-bed.ts';

const { signal } = new AbortController();
vi.setConfig({ testTimeout: 30_000 });
afterAll(() => vi.resetConfig());
const tarballOf = (version: string): string =>
  `kubeedge-${version}-linux-${TARGET.arch === 'x64' ? 'amd64' : 'arm64'}.tar.gz`;

async function lay(folder: string, files: ReadonlyMap<string, Buffer>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, content] of files) await writeFile(join(folder, name), content);
}

test('a release folder is what its signed manifest says, named as a folder or by its manifest', async () => {
  await using folder = await scratchFolder();
  await lay(folder.path, releaseFiles('v0.2.0'));
  for (const from of [folder.path, join(folder.path, 'release.json')]) {
    expect(await resolveAgentSource(requestFor(from, '0.2.0'), ENVIRONMENT, signal)).toEqual({
      origin: folder.path,
      version: 'v0.2.0',
      kind: 'fenestra',
      target: TARGET,
      form: 'file',
      location: join(folder.path, 'keadm-linux'),
      size: AGENT.length,
      digest: { algorithm: 'sha256', hex: AGENT_SHA256 },
      signed: true,
      executableSha256: AGENT_SHA256,
    });
  }
});

test('a folder of several versions is looked up by version, and says which it has', async () => {
  await using folder = await scratchFolder();
  for (const version of ['v0.2.0', 'v0.3.0']) await lay(join(folder.path, version), releaseFiles(version));
  const resolve = async (version?: string) => resolveAgentSource(requestFor(folder.path, version), ENVIRONMENT, signal);
  expect(await resolve('v0.3.0')).toMatchObject({ version: 'v0.3.0', origin: join(folder.path, 'v0.3.0') });
  await expect(resolve('v0.4.0')).rejects.toMatchObject({
    code: 'RELEASE_INVALID',
    message: expect.stringContaining('v0.2.0, v0.3.0'),
  });
  await expect(resolve()).rejects.toMatchObject({
    code: 'RELEASE_INVALID',
    message: expect.stringContaining('v0.2.0'),
  });
});

test('a version that the release is not is refused, naming the one it is', async () => {
  await using folder = await scratchFolder();
  await lay(folder.path, releaseFiles('v0.2.0'));
  await expect(resolveAgentSource(requestFor(folder.path, 'v9.9.9'), ENVIRONMENT, signal)).rejects.toMatchObject({
    code: 'RELEASE_INVALID',
    message: expect.stringMatching(/v9\.9\.9.*v0\.2\.0/),
  });
});

test('a release without anything for the machine is refused, naming both', async () => {
  await using folder = await scratchFolder();
  await lay(folder.path, releaseFiles('v0.2.0'));
  const request = { ...requestFor(folder.path), target: { os: 'windows', arch: 'arm64' } } as const;
  await expect(resolveAgentSource(request, ENVIRONMENT, signal)).rejects.toMatchObject({
    code: 'RELEASE_INVALID',
    message: expect.stringMatching(/windows arm64.*linux/),
  });
});

test('a release whose file is cut off, or gone, is refused before any plan', async () => {
  await using folder = await scratchFolder();
  const files = new Map(releaseFiles('v0.2.0'));
  await lay(folder.path, files.set('keadm-linux', AGENT.subarray(1)));
  const request = requestFor(folder.path);
  await expect(resolveAgentSource(request, ENVIRONMENT, signal)).rejects.toMatchObject({ code: 'RELEASE_INVALID' });
  await using empty = await scratchFolder();
  files.delete('keadm-linux');
  await lay(empty.path, files);
  await expect(resolveAgentSource(requestFor(empty.path), ENVIRONMENT, signal)).rejects.toMatchObject({
    code: 'PATH_NOT_FOUND',
  });
});

test('an unsigned release is refused where a key is trusted, and taken where none is', async () => {
  await using folder = await scratchFolder();
  await lay(folder.path, releaseFiles('v0.2.0', false));
  const request = requestFor(folder.path);
  await expect(resolveAgentSource(request, ENVIRONMENT, signal)).rejects.toMatchObject({ code: 'RELEASE_UNTRUSTED' });
  expect(await resolveAgentSource({ ...request, trustKeys: [] }, ENVIRONMENT, signal)).toMatchObject({ signed: false });
});

test("upstream's tarball is proved by the checksum file beside it, named as a file or by its folder", async () => {
  await using folder = await scratchFolder();
  await lay(folder.path, await upstreamFiles('v1.23.0'));
  for (const from of [folder.path, join(folder.path, tarballOf('v1.23.0'))]) {
    expect(await resolveAgentSource(requestFor(from), ENVIRONMENT, signal)).toMatchObject({
      version: 'v1.23.0',
      kind: 'upstream',
      form: 'archive',
      location: join(folder.path, tarballOf('v1.23.0')),
      member: `${tarballOf('v1.23.0').replace('.tar.gz', '')}/edge/edgecore`,
      executableSha256: AGENT_SHA256,
    });
  }
});

test('a tarball that was changed shows both digests; one without checksum file is refused', async () => {
  await using folder = await scratchFolder();
  const [tarball = ['', Buffer.alloc(0)], checksum = ['', Buffer.alloc(0)]] = [...(await upstreamFiles('v1.23.0'))];
  const flipped = Buffer.from(tarball[1]);
  flipped[flipped.length >> 1] = 255 - (flipped[flipped.length >> 1] ?? 0);
  await lay(folder.path, new Map([[tarball[0], flipped]]));
  const resolve = async () => resolveAgentSource(requestFor(join(folder.path, tarball[0])), ENVIRONMENT, signal);
  await expect(resolve()).rejects.toMatchObject({
    code: 'RELEASE_INVALID',
    message: expect.stringContaining('checksum'),
  });
  await lay(folder.path, new Map([checksum]));
  await expect(resolve()).rejects.toMatchObject({
    code: 'RELEASE_INVALID',
    message: expect.stringMatching(/sha512 digest is [0-9a-f]{128}, but should be [0-9a-f]{128}/),
  });
});

test('a tarball with a program for another processor in it is refused, naming both', async () => {
  await using folder = await scratchFolder();
  const foreign = Buffer.from(AGENT);
  foreign.writeUInt16LE(243, 18);
  await lay(folder.path, await upstreamFiles('v1.23.0', foreign));
  await expect(resolveAgentSource(requestFor(folder.path), ENVIRONMENT, signal)).rejects.toMatchObject({
    code: 'RELEASE_INVALID',
    message: expect.stringMatching(new RegExp(`linux other.*linux ${TARGET.arch}`)),
  });
});

test('this very program is its own source, and no one has to ask it for its version', async () => {
  expect(await resolveAgentSource(requestFor(process.execPath), ENVIRONMENT, signal)).toMatchObject({
    version: 'v0.1.0',
    kind: 'fenestra',
    form: 'file',
    location: process.execPath,
  });
});

test('another program is asked for its version', async () => {
  const elsewhere = { ...ENVIRONMENT, executable: '/usr/bin/keadm' };
  const request = requestFor(process.execPath);
  const source = await resolveAgentSource(request, elsewhere, signal);
  expect(source).toMatchObject({ version: process.version, kind: 'fenestra' });
  await expect(resolveAgentSource({ ...request, version: 'v0.0.1' }, elsewhere, signal)).rejects.toMatchObject({
    code: 'RELEASE_INVALID',
    message: expect.stringContaining(process.version),
  });
});

test.each([
  ['a program that says something else', '/bin/sleep'],
  ['a script', 'script'],
  ['a program that may not run', 'not-allowed'],
])('%s is refused', async (_what, from) => {
  await using folder = await scratchFolder();
  await lay(
    folder.path,
    new Map([
      ['script', Buffer.from('#!/bin/sh\necho v1.0.0\n')],
      ['not-allowed', AGENT],
    ]),
  );
  await chmod(join(folder.path, 'script'), 0o755);
  const path = from.startsWith('/') ? from : join(folder.path, from);
  await expect(resolveAgentSource(requestFor(path), ENVIRONMENT, signal)).rejects.toMatchObject({
    code: 'RELEASE_INVALID',
  });
});

test.each([
  ['not there', undefined, 'PATH_NOT_FOUND'],
  ['ftp://mirror/x', undefined, 'USAGE'],
  ['https://mirror/x?token=1', undefined, 'USAGE'],
  ['/tmp', '../../etc', 'USAGE'],
])('--from %j --version %j is %s', async (from, version, code) => {
  await expect(resolveAgentSource(requestFor(from, version), ENVIRONMENT, signal)).rejects.toMatchObject({ code });
});
