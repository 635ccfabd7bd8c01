import { basename, join } from 'node:path';
import type { NodeLayout, WorkerLayout } from '@fenestra/platform';
import type { PrepareFacts } from '../prepare/prepare-facts.ts';
import type { BackupRecord } from './version-backup.ts';

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
  /** With which the node is drained and uncordoned. */
  readonly drainKubeconfig: string;
  readonly drains: boolean;
  readonly drainLimitSeconds: number;
  /** How the cluster has the node now. */
  readonly ready: boolean;
  readonly schedulable: boolean;
  readonly current: BackupRecord;
  readonly targetVersion: string;
  /** The kubelet's configuration and flags as they are, for the way back and for the backup. */
  readonly kept: readonly { readonly path: string; readonly sha256: string }[];
  readonly refreshed: readonly RefreshedFile[];
  /** Annotations that this version no longer wants, or wants. */
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

/**
 * The folder for the present version's backup: one of its own, so that an earlier backup of the same version stays whole
 * until this one is of use.
 */
export function backupFolderOf(
  { backupsFolder }: Pick<WorkerLayout, 'backupsFolder'>,
  { version, takenAt }: BackupRecord,
  isTaken: (folder: string) => boolean,
): string {
  const folder = join(backupsFolder, version);
  return isTaken(folder) ? `${folder}-${takenAt.replaceAll(/[-:.]/g, '')}` : folder;
}
