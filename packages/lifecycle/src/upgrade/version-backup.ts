import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { namesIn } from '@fenestra/platform';

/** The file in a version's backup that says what it is. */
export const BACKUP_FILE = 'backup.json';

const BackupRecord = z.object({
  version: z.string(),
  agent: z.enum(['fenestra', 'upstream']),
  sha256: z.string(),
  takenAt: z.string(),
});
export type BackupRecord = z.infer<typeof BackupRecord>;

/** What an upgrade kept of the version it replaced. */
export interface VersionBackup extends BackupRecord {
  readonly folder: string;
  readonly bytes: number;
}

/** The backups that are there, the newest first. A folder that cannot be read as one is none. */
export async function listVersionBackups(backupsFolder: string): Promise<readonly VersionBackup[]> {
  const names = await namesIn(backupsFolder, `the backups in "${backupsFolder}"`);
  const backups = await Promise.all(names.map(async (name) => readBackup(join(backupsFolder, name))));
  return backups
    .filter((backup) => backup !== undefined)
    .toSorted((one, other) => other.takenAt.localeCompare(one.takenAt));
}

/** Which backups to give up: those beyond the wanted number, or beyond the wanted size, the oldest first. */
export function backupsToPrune(
  newestFirst: readonly VersionBackup[],
  { keep, keepBytes }: { readonly keep: number; readonly keepBytes: number },
): readonly VersionBackup[] {
  let bytes = 0;
  return newestFirst.filter((backup, index) => {
    bytes += backup.bytes;
    return index >= keep || (index > 0 && bytes > keepBytes);
  });
}

async function readBackup(folder: string): Promise<VersionBackup | undefined> {
  try {
    const record = BackupRecord.parse(JSON.parse(await readFile(join(folder, BACKUP_FILE), 'utf8')));
    const sizes = (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size);
    return { ...record, folder, bytes: (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) };
  } catch {
    return undefined;
  }
}
