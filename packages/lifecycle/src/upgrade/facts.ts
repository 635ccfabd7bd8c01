import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { versionTag } from '@fenestra/contracts';
import type { AgentSource } from '@fenestra/releases';
import { digestIfAny, digestOf, type NeededRoom, pathExists, requireRoom, sizeOf } from '@fenestra/platform';
import { digestOfText, stagedPath } from '@fenestra/steps';
import type { NodeSession } from '@fenestra/session';
import { refuseForeignRegistration } from '../node/foreign-service.ts';
import { gatherNodeFacts, type JoinedNodeFacts, requireConfig, requireJoined } from '../node/node-facts.ts';
import { chosenRecovery, joinedAgentService, type ProgramService } from '../service-program/agent-service.ts';
import { type BackupRecord, backupsToPrune, listVersionBackups, type VersionBackup } from './version-backup.ts';

/** What an operator may want of a change of version. */
export interface UpgradeWishes {
  /** How long the new version may take to prove that it works. */
  readonly limitSeconds: number;
  /** How long it has to work before it counts. */
  readonly settleSeconds: number;
  /** How many versions to keep for a way back, and how much room they may take. */
  readonly keep: number;
  readonly keepBytes: number;
}

/** What comes back with an older version, besides its program. */
export interface Restoring {
  readonly folder: string;
  /** Digest of its configuration; `undefined` to keep the present one. */
  readonly configSha256: string | undefined;
  /** Whether its database was kept and is the one that will be in use. */
  readonly hasDatabase: boolean;
  /** Whether it reported its pods, so that it can be judged by them. */
  readonly reportsPods: boolean;
  /** Where an agent with the configuration that will be in force says how it is. */
  readonly statusFolder: string;
}

/** What the plan of an upgrade or a rollback is made from. */
export interface UpgradeFacts {
  readonly node: JoinedNodeFacts;
  readonly target: AgentSource;
  readonly current: BackupRecord;
  readonly wanted: ProgramService;
  readonly registeredAsWanted: boolean;
  readonly layout: NodeSession['layout'];
  readonly root: string | undefined;
  /** The program that runs this command. */
  readonly keadm: { readonly path: string; readonly sha256: string };
  readonly wishes: UpgradeWishes;
  readonly restoring: Restoring | undefined;
  /** Where the replaced version is kept: its own folder, so that nothing of an earlier backup is touched. */
  readonly backupFolder: string;
  readonly configSha256: string;
  readonly database: string;
  /** Folders of backups that go once the new version has proved itself. */
  readonly pruned: readonly string[];
  /** Digest of the file that says which version is installed. */
  readonly versionFileSha256: string | null;
}

/** What is wanted: another version, and perhaps what was kept with it. */
export interface UpgradeRequest {
  readonly target: AgentSource;
  readonly restoring?: Restoring;
  readonly wishes: UpgradeWishes;
}

/** The names the files of a version have in its backup; the program has its own. */
export const BACKUP_NAMES = { config: 'edgecore.yaml', database: 'edgecore.db', pods: 'pods.json' } as const;

/** Looks at the machine and changes nothing. */
export async function gatherUpgradeFacts(session: NodeSession, request: UpgradeRequest): Promise<UpgradeFacts> {
  const { layout, executable, root, now, ports } = session;
  const node = requireJoined(await gatherNodeFacts(session));
  const wanted = joinedAgentService(layout, chosenRecovery(node.spec?.recovery));
  const current = currentVersion(node, now());
  const backups = await listVersionBackups(layout.backupsFolder);
  const backupFolder = await freshFolder(join(layout.backupsFolder, current.version), current);
  const facts: UpgradeFacts = {
    ...request,
    restoring: request.restoring,
    node,
    current,
    wanted,
    registeredAsWanted: isDeepStrictEqual(node.spec?.args, wanted.spec.args),
    layout,
    root,
    keadm: { path: executable, sha256: await digestOf(executable) },
    backupFolder,
    configSha256: await digestOf(layout.agentConfigFile),
    database: requireConfig(node).database.dataSource,
    pruned: prunedFolders({ current, backupFolder, backups }, request.wishes),
    versionFileSha256: await digestIfAny(layout.versionFile),
  };
  if (!isInPlace(facts) && !facts.registeredAsWanted) refuseForeignRegistration(node.spec, wanted.spec, ports.services);
  if (!isInPlace(facts)) await requireRoom(session, await neededRoom(facts));
  return facts;
}

/** Where the new program waits for its turn, beside the old one. */
export function stagedProgram({ layout }: Pick<UpgradeFacts, 'layout'>): string {
  return stagedPath(layout.agentExecutable);
}

/** The copy of the present program, for the rollback. */
export function backedUpProgram({ backupFolder, layout }: Pick<UpgradeFacts, 'backupFolder' | 'layout'>): string {
  return join(backupFolder, basename(layout.agentExecutable));
}

/** What the file says that shows which version is installed. */
export function versionText({ target }: Pick<UpgradeFacts, 'target'>): string {
  return `${versionTag(target.version)}\n`;
}

/** Whether that file says something else. */
export function writesVersion(facts: UpgradeFacts): boolean {
  return facts.versionFileSha256 !== digestOfText(versionText(facts));
}

/** Whether the program that is wanted is in place already. */
export function isInPlace({ target, node }: UpgradeFacts): boolean {
  return target.executableSha256 === node.installedSha256;
}

/** An earlier backup of the same version stays whole until this one is of use. */
async function freshFolder(folder: string, { takenAt }: BackupRecord): Promise<string> {
  return (await pathExists(folder)) ? `${folder}-${takenAt.replaceAll(/[-:.]/g, '')}` : folder;
}

function prunedFolders(
  {
    current,
    backupFolder,
    backups,
  }: Pick<UpgradeFacts, 'current' | 'backupFolder'> & { readonly backups: readonly VersionBackup[] },
  wishes: UpgradeWishes,
): readonly string[] {
  const isSuperseded = ({ sha256 }: VersionBackup): boolean => sha256 === current.sha256;
  const others = backups.filter((backup) => !isSuperseded(backup));
  // The one that is about to be made counts too, and its size is much like that of the newest.
  const made = { ...current, folder: backupFolder, bytes: backups[0]?.bytes ?? 0 };
  return [...backups.filter(isSuperseded), ...backupsToPrune([made, ...others], wishes)].map(({ folder }) => folder);
}

async function neededRoom({ layout, target, keadm, backupFolder }: UpgradeFacts): Promise<readonly NeededRoom[]> {
  return [
    { path: layout.programFolder, bytes: target.size },
    { path: backupFolder, bytes: await sizeOf(layout.agentExecutable) },
    { path: layout.guardExecutable, bytes: await sizeOf(keadm.path) },
  ];
}

function currentVersion(node: JoinedNodeFacts, now: Date): BackupRecord {
  return {
    version: versionTag(node.installedVersion ?? `unknown-${node.installedSha256.slice(0, 12)}`),
    agent: node.agentKind,
    sha256: node.installedSha256,
    takenAt: now.toISOString(),
  };
}
