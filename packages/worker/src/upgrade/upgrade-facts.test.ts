import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keptPrograms } from './kept-programs.ts';
import { BACKUP_FILE, listWorkerBackups, surplusBackups } from './upgrade-facts.ts';

const backup = (version: string) => ({ version, takenAt: '', folder: `/backups/${version}` });

test('the newest backups are kept, the one that is about to be made among them', () => {
  const backups = ['v3', 'v2', 'v1'].map(backup);
  expect(surplusBackups(backups, backup('v4'), 3)).toEqual(['/backups/v1']);
  expect(surplusBackups(backups, backup('v4'), 0)).toEqual(['/backups/v3', '/backups/v2', '/backups/v1']);
});

test('a backup of the same version is superseded', () => {
  expect(surplusBackups([backup('v2'), backup('v1')], backup('v2'), 3)).toEqual(['/backups/v2']);
});

test('a folder without a record is not a backup, the newest comes first, and its programs can be installed again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'worker-backups-'));
  for (const [name, takenAt] of [
    ['v1.33.0', '2026-01-01'],
    ['v1.34.0', '2026-02-01'],
  ] as const) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, BACKUP_FILE), JSON.stringify({ version: name, takenAt }));
  }
  await mkdir(join(folder, 'someone-elses'));
  expect((await listWorkerBackups(folder)).map(({ version }) => version)).toEqual(['v1.34.0', 'v1.33.0']);
  expect(await listWorkerBackups(join(folder, 'absent'))).toEqual([]);
  const kept = { from: join(folder, 'v1.33.0'), version: 'v1.33.0', with: [], withoutChecksum: true };
  expect(await keptPrograms({ backupsFolder: folder }, '1.33.0')).toEqual(kept);
  await expect(keptPrograms({ backupsFolder: folder }, 'v1.32.0')).rejects.toMatchObject({ code: 'USAGE' });
  await rm(folder, { recursive: true });
});
