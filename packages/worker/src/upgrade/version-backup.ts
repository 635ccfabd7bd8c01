import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileError, systemCodeOf } from '@fenestra/kernel';
import * as z from 'zod/mini';

/** The file in a version's backup that says what it is. */
export const BACKUP_FILE = 'backup.json';

const BackupRecord = z.object({ version: z.string(), takenAt: z.string() });
/** What is known of a version that was replaced. */
export type BackupRecord = z.infer<typeof BackupRecord>;

/** What an upgrade kept of the version it replaced. */
export interface WorkerBackup extends BackupRecord {
  readonly folder: string;
}

/** The backups that are there, the newest first. A folder that cannot be read as one is none. */
export async function listWorkerBackups(backupsFolder: string): Promise<readonly WorkerBackup[]> {
  const names = await readdir(backupsFolder).catch((cause: unknown) => {
    if (systemCodeOf(cause) === 'ENOENT') return [];
    throw fileError(cause, `list the backups in "${backupsFolder}"`);
  });
  const backups = await Promise.all(names.map(async (name) => readBackup(join(backupsFolder, name))));
  return backups
    .filter((backup) => backup !== undefined)
    .toSorted((one, other) => other.takenAt.localeCompare(one.takenAt));
}

/** Those beyond the wanted number once one more is made, and those of the version that it is made of. */
export function surplusBackups(
  newestFirst: readonly WorkerBackup[],
  made: BackupRecord,
  keep: number,
): readonly string[] {
  const superseded = newestFirst.filter(({ version }) => version === made.version);
  const others = newestFirst.filter(({ version }) => version !== made.version);
  return [...superseded, ...others.slice(Math.max(keep - 1, 0))].map(({ folder }) => folder);
}

async function readBackup(folder: string): Promise<WorkerBackup | undefined> {
  try {
    return { ...BackupRecord.parse(JSON.parse(await readFile(join(folder, BACKUP_FILE), 'utf8'))), folder };
  } catch {
    return undefined;
  }
}
