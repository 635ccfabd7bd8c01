import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chooseArchive } from './choose-archive.ts';

const HERE = { os: 'linux', arch: 'x64' } as const;
let folder = '';
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'choose-'))));
afterEach(async () => rm(folder, { recursive: true }));

/** A tar file with a manifest and nothing else: all that is read of an archive to choose it. */
async function archive(nodeName: string, day: string, os: string = 'linux'): Promise<string> {
  const file = { size: 0, sha256: createHash('sha256').digest('hex'), mode: 0o600 };
  const manifest = JSON.stringify({
    schema: 1,
    nodeName,
    version: 'v1.0.0',
    agent: 'fenestra',
    os,
    arch: 'x64',
    created: `2026-01-${day}T00:00:00.000Z`,
    folders: { config: '/etc/kubeedge', state: '/var/lib/kubeedge' },
    service: null,
    files: [
      { ...file, path: 'a', role: 'executable' },
      { ...file, path: 'b', role: 'configuration' },
    ],
  });
  const path = join(folder, `fenestra-backup-${nodeName}-v1.0.0-202601${day}T000000Z.tar.gz`);
  await writeFile(path, gzipSync(tarWith('manifest.json', manifest)));
  return path;
}

/** POSIX ustar, one member: https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html */
function tarWith(name: string, text: string): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000600\0', 100);
  header.write(`${Buffer.byteLength(text).toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        0', 148);
  header.write('ustar\u000000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const body = Buffer.from(text);
  return Buffer.concat([header, body, Buffer.alloc((512 - (body.length % 512)) % 512), Buffer.alloc(1024)]);
}

test('the newest archive of this node and this kind of machine is meant', async () => {
  await archive('edge-1', '01');
  const newest = await archive('edge-1', '02');
  await archive('edge-1', '03', 'windows');
  await archive('edge-2', '04');
  expect(await chooseArchive(folder, undefined, { ...HERE, nodeName: 'edge-1' })).toBe(newest);
});

test('on a machine without a node, archives of several nodes are a reason to ask', async () => {
  const only = await archive('edge-1', '01');
  expect(await chooseArchive(folder, undefined, { ...HERE, nodeName: undefined })).toBe(only);
  await archive('edge-2', '02');
  await expect(chooseArchive(folder, undefined, { ...HERE, nodeName: undefined })).rejects.toMatchObject({
    code: 'USAGE',
  });
});

test('a file that was named is meant, whatever it is called', async () => {
  const file = join(folder, 'renamed');
  await writeFile(file, '');
  expect(await chooseArchive(file, undefined, { ...HERE, nodeName: 'edge-1' })).toBe(file);
});

test('a folder without a fitting archive says so', async () => {
  await archive('edge-1', '03', 'windows');
  const chosen = chooseArchive(folder, undefined, { ...HERE, nodeName: 'edge-1' });
  await expect(chosen).rejects.toMatchObject({ code: 'BACKUP_NOT_FOUND' });
});

test('an archive that cannot be read is not skipped for an older one', async () => {
  await archive('edge-1', '01');
  await writeFile(join(folder, 'fenestra-backup-edge-1-v1.0.0-20260102T000000Z.tar.gz'), 'damaged');
  const chosen = chooseArchive(folder, undefined, { ...HERE, nodeName: 'edge-1' });
  await expect(chosen).rejects.toMatchObject({ code: 'BACKUP_INVALID' });
});
