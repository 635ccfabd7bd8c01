import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { OperatorError } from '@fenestra/kernel';
import { assert, asyncProperty, nat } from 'fast-check';
import { packTar, type TarEntry } from 'modern-tar';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BackupFile, BackupManifest } from './manifest.ts';
import type { BackupMember } from './backup-member.ts';
import { inspectBackup, readBackup, readManifest } from './read-backup.ts';
import { packBackup } from './pack-backup.ts';

const CONTENT = { executable: 'program '.repeat(5000), configuration: 'kind: EdgeCore\n', key: 'secret' };
const { signal } = new AbortController();
let folder = '';
let archive = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backup-'));
  archive = join(folder, 'archive');
});
afterEach(async () => rm(folder, { recursive: true }));

const members: readonly BackupMember[] = (['executable', 'configuration', 'key'] as const).map((role) => ({
  file: describe(role, CONTENT[role]),
  content: Buffer.from(CONTENT[role]),
}));

const manifest: BackupManifest = {
  schema: 1,
  nodeName: 'edge-1',
  version: 'v0.1.0',
  agent: 'fenestra',
  os: 'linux',
  arch: 'x64',
  created: '2026-01-02T03:04:05.678Z',
  folders: { config: '/etc/kubeedge', state: '/var/lib/kubeedge' },
  service: null,
  files: members.map(({ file }) => file),
};

function describe(role: BackupFile['role'], text: string): BackupFile {
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { path: role, role, size: text.length, sha256, mode: 0o600 };
}

async function pack(passphrase?: string): Promise<Buffer> {
  await writeFile(archive, '');
  await packBackup({ manifest, members, to: archive, passphrase, progress: () => {} }, signal);
  return readFile(archive);
}

async function unpack(passphrase?: string): Promise<Record<string, string>> {
  const received: Record<string, string> = {};
  await readBackup({ path: archive, passphrase }, async ({ role }, content) => {
    const pieces: Uint8Array[] = [];
    for await (const piece of content) pieces.push(piece);
    received[role] = Buffer.concat(pieces).toString('utf8');
  });
  return received;
}

async function outcome(passphrase?: string): Promise<unknown> {
  return unpack(passphrase).catch((error: unknown) => (error instanceof OperatorError ? error.code : error));
}

/** An archive that no one made with keadm. */
async function forge(entries: readonly TarEntry[], claimed: BackupManifest = manifest): Promise<void> {
  const text = JSON.stringify(claimed);
  const first = { header: { name: 'manifest.json', size: Buffer.byteLength(text) }, body: text };
  await writeFile(archive, gzipSync(await packTar([first, ...entries])));
}

const sound = (['executable', 'configuration', 'key'] as const).map((role): TarEntry => ({
  header: { name: role, size: CONTENT[role].length },
  body: CONTENT[role],
}));

test.each([undefined, 'open sesame'])('what was packed comes back, with passphrase %j', async (passphrase) => {
  await pack(passphrase);
  // Each reader derives the key, which takes time by design.
  const source = { path: archive, passphrase };
  const readers = [unpack(passphrase), readManifest(source), inspectBackup(source)] as const;
  const [content, first, inspected] = await Promise.all(readers);
  expect(content).toEqual(CONTENT);
  expect(first).toEqual(manifest);
  expect(inspected).toMatchObject({ manifest, configuration: CONTENT.configuration });
});

test('the same node packed twice gives the same archive', async () => {
  expect(await pack()).toEqual(await pack());
});

test('an encrypted archive shows nothing of its content', async () => {
  const bytes = await pack('open sesame');
  expect(bytes.includes('edge-1')).toBe(false);
  expect(await outcome()).toBe('PASSPHRASE_WRONG');
  expect(await outcome('open sesam')).toBe('PASSPHRASE_WRONG');
});

test('a flipped bit is refused, or makes no difference to what comes out', async () => {
  const bytes = await pack();
  await assert(
    asyncProperty(nat(bytes.length - 1), nat(7), async (at, bit) => {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << bit), at);
      await writeFile(archive, flipped);
      // The compressor can say the same thing in several ways.
      expect(['BACKUP_INVALID', CONTENT]).toContainEqual(await outcome());
    }),
  );
});

test('a truncated archive is refused', async () => {
  const bytes = await pack();
  await assert(
    asyncProperty(nat(bytes.length - 1), async (length) => {
      await writeFile(archive, bytes);
      await truncate(archive, length);
      expect(await outcome()).toBe('BACKUP_INVALID');
    }),
  );
});

test('a forged archive is taken as any other if it is sound', async () => {
  await forge(sound);
  expect(await outcome()).toEqual(CONTENT);
});

test.each<[string, readonly TarEntry[]]>([
  ['a file outside its folder', [...sound, { header: { name: '../../etc/passwd', size: 1 }, body: 'x' }]],
  ['an absolute path', [...sound, { header: { name: '/etc/passwd', size: 1 }, body: 'x' }]],
  [
    'a link',
    [...sound.slice(1), { header: { name: 'executable', size: 0, type: 'symlink', linkname: '/etc/passwd' } }],
  ],
  ['a folder', [...sound, { header: { name: 'folder/', size: 0, type: 'directory' } }]],
  ['a file that is missing', sound.slice(1)],
  ['a file twice', [...sound, ...sound.slice(0, 1)]],
  ['a file of another size', [...sound.slice(1), { header: { name: 'executable', size: 1 }, body: 'p' }]],
  [
    'a file of other content',
    [...sound.slice(0, 2), { header: { name: 'key', size: CONTENT.key.length }, body: 'SECRET' }],
  ],
])('an archive with %s is refused', async (_what, entries) => {
  await forge(entries);
  expect(await outcome()).toBe('BACKUP_INVALID');
});

test('an archive that does not start with a manifest is refused', async () => {
  await writeFile(archive, gzipSync(await packTar([...sound])));
  expect(await outcome()).toBe('BACKUP_INVALID');
  await writeFile(archive, 'not an archive at all');
  expect(await outcome()).toBe('BACKUP_INVALID');
  await writeFile(archive, '');
  expect(await outcome()).toBe('BACKUP_INVALID');
});

test('an archive that is not there is distinguished from one that is damaged', async () => {
  expect(await outcome()).toBe('PATH_NOT_FOUND');
});

test.skipIf(!existsSync('/dev/full')).each([undefined, 'open sesame'])(
  'a disk without room is named as the cause, passphrase %s',
  async (passphrase) => {
    const content = join(folder, 'large');
    const file = { ...describe('executable', ''), size: 2 ** 22 };
    await writeFile(content, randomBytes(file.size));
    const request = {
      manifest: { ...manifest, files: [file, file] },
      members: [file, file].map(() => ({ file, content })),
    };
    const packing = packBackup({ ...request, to: '/dev/full', passphrase, progress: () => {} }, signal);
    await expect(packing).rejects.toMatchObject({ code: 'ENOSPC' });
  },
);
