import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { BackupSubject } from '@fenestra/steps';
import { archiveName, parseArchiveName, listArchives } from './archives.ts';

const subject: BackupSubject = {
  schema: 1,
  nodeName: 'edge-1.example',
  version: 'v1.23.0-rc.1+5',
  agent: 'fenestra',
  os: 'linux',
  arch: 'x64',
  created: '2026-01-02T03:04:05.678Z',
  folders: { config: '/etc/kubeedge', state: '/var/lib/kubeedge' },
  service: null,
};

test('an archive says in its name what it is', () => {
  const name = archiveName(subject, true);
  expect(name).toBe('fenestra-backup-edge-1.example-v1.23.0-rc.1+5-20260102T030405Z.tar.gz.enc');
  expect(parseArchiveName(name)).toEqual({
    nodeName: 'edge-1.example',
    version: 'v1.23.0-rc.1+5',
    created: '2026-01-02T03:04:05Z',
    encrypted: true,
  });
});

test('a version that is not a version does not get into a file name', () => {
  expect(archiveName({ ...subject, version: '../../x' }, false)).toBe(
    'fenestra-backup-edge-1.example-unknown-20260102T030405Z.tar.gz',
  );
});

test.each(['notes.txt', 'fenestra-backup-a-v1.0.0-20260102T030405Z.tar.gz.partial', 'fenestra-backup-.tar.gz'])(
  '%j is not an archive',
  (name) => expect(parseArchiveName(name)).toBeUndefined(),
);

test('archives are listed with the newest first, and nothing else is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'archives-'));
  const names = [
    'fenestra-backup-a-v1.0.0-20260101T000000Z.tar.gz',
    'fenestra-backup-b-v0.9.0-20260301T000000Z.tar.gz.enc',
    'fenestra-backup-a-v1.0.0-20260201T000000Z.tar.gz.partial',
    'notes.txt',
  ];
  for (const name of names) await writeFile(join(folder, name), 'x');
  expect(await listArchives(folder)).toMatchObject([
    { nodeName: 'b', version: 'v0.9.0', encrypted: true, bytes: 1 },
    { nodeName: 'a', version: 'v1.0.0', encrypted: false },
  ]);
  await rm(folder, { recursive: true });
});

test('a folder that is not there is reported by its name', async () => {
  await expect(listArchives('/no/such/folder')).rejects.toMatchObject({ code: 'PATH_NOT_FOUND' });
});
