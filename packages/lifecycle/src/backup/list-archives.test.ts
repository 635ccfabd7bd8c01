import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listArchives } from './list-archives.ts';

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

test('a folder that is not there is told by its name', async () => {
  await expect(listArchives('/no/such/folder')).rejects.toMatchObject({ code: 'PATH_NOT_FOUND' });
});
