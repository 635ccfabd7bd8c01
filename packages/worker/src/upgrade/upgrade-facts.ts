import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileError, systemCodeOf } from '@fenestra/kernel';
import type { NodeLayout, WorkerLayout } from '@fenestra/platform';
import * as z from 'zod/mini';
import type { PrepareFacts } from '../prepare/gather-prepare-facts.ts';

/** A text file of the kubelet's that the new version wants otherwise. */
export interface RefreshedFile {
  readonly path: string;
  /** Digest of what is there; `undefined` where nothing is. */
  readonly sha256: string | undefined;
  readonly content: string;
}

/** What a change of version is planned from. */
export interface KubeUpgradeFacts extends PrepareFacts {
  readonly node: Pick<NodeLayout, 'downloadsFolder' | 'guardExecutable'>;
  readonly root: string | undefined;
  readonly nodeName: string;
  readonly drainKubeconfig: string;
  readonly drains: boolean;
  readonly drainLimitSeconds: number;
  readonly ready: boolean;
  readonly schedulable: boolean;
  readonly current: BackupRecord;
  readonly targetVersion: string;
  /** The kubelet's configuration and flags as they are, for the rollback and for the backup. */
  readonly kept: readonly { readonly path: string; readonly sha256: string }[];
  readonly refreshed: readonly RefreshedFile[];
  readonly annotations: Readonly<Record<string, string | null>>;
  readonly backupFolder: string;
  readonly pruned: readonly string[];
  readonly healthz: { readonly address: string; readonly port: number } | undefined;
  readonly limitSeconds: number;
  readonly settleSeconds: number;
}

/** Whether anything has to be exchanged. */
export function isUpToDate({ programs }: Pick<KubeUpgradeFacts, 'programs'>): boolean {
  return programs.every(({ inPlace }) => inPlace);
}

/** Where the kubelet's folder of backups keeps a file of this path. */
export function backedUp({ backupFolder }: Pick<KubeUpgradeFacts, 'backupFolder'>, path: string): string {
  return join(backupFolder, basename(path));
}

/** The folder for the present version's backup. An earlier backup of the same version stays until this one counts. */
export function backupFolderOf(
  { backupsFolder }: Pick<WorkerLayout, 'backupsFolder'>,
  { version, takenAt }: BackupRecord,
  isTaken: (folder: string) => boolean,
): string {
  const folder = join(backupsFolder, version);
  return isTaken(folder) ? `${folder}-${takenAt.replaceAll(/[-:.]/g, '')}` : folder;
}

/** The file in a version's backup that says what it is. */
export const BACKUP_FILE = 'backup.json';

const BackupRecord = z.object({ version: z.string(), takenAt: z.string() });
type BackupRecord = z.infer<typeof BackupRecord>;

interface WorkerBackup extends BackupRecord {
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
