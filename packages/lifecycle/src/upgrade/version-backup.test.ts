import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BACKUP_FILE, backupsToPrune, listVersionBackups, type VersionBackup } from './version-backup.ts';

function backup(version: string, bytes: number): VersionBackup {
  return { version, bytes, folder: `/b/${version}`, agent: 'fenestra', sha256: 'x', takenAt: version };
}

const versions = (backups: readonly VersionBackup[]): readonly string[] => backups.map(({ version }) => version);

test('backups beyond the wanted number are given up, the oldest first', () => {
  const all = [backup('v4', 1), backup('v3', 1), backup('v2', 1), backup('v1', 1)];
  expect(versions(backupsToPrune(all, { keep: 2, keepBytes: 100 }))).toEqual(['v2', 'v1']);
});

test('backups beyond the wanted size are given up, but never the newest', () => {
  const all = [backup('v3', 80), backup('v2', 30), backup('v1', 1)];
  expect(versions(backupsToPrune(all, { keep: 9, keepBytes: 50 }))).toEqual(['v2', 'v1']);
});

test('keeping none gives up all of them', () => {
  expect(versions(backupsToPrune([backup('v1', 1)], { keep: 0, keepBytes: 100 }))).toEqual(['v1']);
});

test('a folder without a record is not a backup, and the newest comes first', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'backups-'));
  for (const [name, takenAt] of [
    ['v1', '2026-01-01'],
    ['v2', '2026-02-01'],
  ] as const) {
    await mkdir(join(folder, name));
    const record = { version: name, agent: 'fenestra', sha256: 'x', takenAt };
    await writeFile(join(folder, name, BACKUP_FILE), JSON.stringify(record));
  }
  await mkdir(join(folder, 'someone-elses'));
  expect(versions(await listVersionBackups(folder))).toEqual(['v2', 'v1']);
  expect(await listVersionBackups(join(folder, 'absent'))).toEqual([]);
  await rm(folder, { recursive: true });
});
