import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { loadEdgecoreConfig, versionTag, type EdgecoreConfig } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { type HostFacts, digestIfAny, digestOf, pathExists } from '@fenestra/platform';
import type { AgentSource } from '@fenestra/releases';
import type { NodeSession } from '@fenestra/session';
import { gatherNodeFacts, requireJoined, type JoinedNodeFacts } from '../node/node-facts.ts';
import { BACKUP_NAMES, type Restoring } from './facts.ts';
import { listVersionBackups, type VersionBackup } from './version-backup.ts';

/** A version to go back to, and what comes back with it. */
export interface RollbackTarget {
  readonly target: AgentSource;
  readonly restoring: Restoring;
}

/** Finds the version to go back to: the one that is named, or the newest that is not the present one. */
export async function findRollback(
  session: NodeSession,
  wanted: string | undefined,
  keepConfig: boolean,
): Promise<RollbackTarget> {
  const node = requireJoined(await gatherNodeFacts(session));
  const backups = await listVersionBackups(session.layout.backupsFolder);
  const backup =
    wanted === undefined
      ? backups.find(({ sha256 }) => sha256 !== node.installedSha256)
      : backups.find(({ version }) => version === versionTag(wanted));
  if (backup === undefined) throw notFound(wanted, backups);
  const program = join(backup.folder, basename(session.layout.agentExecutable));
  await requireWhole(program, backup);
  const target = await sourceOf(session, backup, program);
  return { target, restoring: await whatComesBack(session, node, { folder: backup.folder, keepConfig }) };
}

async function whatComesBack(
  { layout }: NodeSession,
  { config: present, host }: JoinedNodeFacts,
  { folder, keepConfig }: { readonly folder: string; readonly keepConfig: boolean },
): Promise<Restoring> {
  const file = join(folder, BACKUP_NAMES.config);
  const configSha256 = keepConfig ? undefined : await changedDigest(file, layout.agentConfigFile);
  const inForce = configSha256 === undefined ? present : await readConfig(file, host);
  const dataSource = inForce?.database.dataSource ?? join(layout.stateFolder, BACKUP_NAMES.database);
  // A database that lies elsewhere was never touched by the present version.
  const isSame = dataSource === present?.database.dataSource;
  const hasDatabase = isSame && (await pathExists(join(folder, BACKUP_NAMES.database)));
  const reportsPods = await pathExists(join(folder, BACKUP_NAMES.pods));
  return { folder, configSha256, hasDatabase, reportsPods, statusFolder: dirname(dataSource) };
}

async function readConfig(path: string, { os, hostName }: HostFacts): Promise<EdgecoreConfig> {
  return loadEdgecoreConfig(await readFile(path, 'utf8'), path, os, { hostName, cloudAddress: '127.0.0.1' }).config;
}

async function sourceOf({ host }: NodeSession, backup: VersionBackup, program: string): Promise<AgentSource> {
  const { version, agent, sha256, folder } = backup;
  const { os, arch } = await host.facts();
  return {
    origin: folder,
    version,
    kind: agent,
    target: { os, arch },
    form: 'file',
    location: program,
    size: (await stat(program)).size,
    digest: { algorithm: 'sha256', hex: sha256 },
    // It ran here before.
    signed: true,
    executableSha256: sha256,
  };
}

async function changedDigest(backup: string, present: string): Promise<string | undefined> {
  const digest = await digestIfAny(backup);
  return digest === null || digest === (await digestIfAny(present)) ? undefined : digest;
}

async function requireWhole(program: string, { version, sha256 }: VersionBackup): Promise<void> {
  const found = await digestOf(program);
  if (found === sha256) return;
  throw new OperatorError(
    'BACKUP_INVALID',
    `Cannot go back to ${version}: its program has changed since it was backed up`,
    {
      hint: 'Roll back to another version ("keadm backup list"), or install one with "keadm upgrade --from".',
      details: { expected: sha256, found },
    },
  );
}

function notFound(wanted: string | undefined, backups: readonly VersionBackup[]): OperatorError {
  const known = backups.map(({ version }) => version).join(', ');
  const what = wanted === undefined ? 'no other version was kept' : `no backup of ${wanted} was kept`;
  return new OperatorError('BACKUP_NOT_FOUND', `Cannot roll back: ${what}`, {
    hint: known === '' ? 'A version is kept by the upgrade that replaces it.' : `Those that were kept: ${known}.`,
  });
}
