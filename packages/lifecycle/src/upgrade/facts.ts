import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { versionTag } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { digestIfAny, digestOf, previousVersion, type AgentSource, type PlaceFile } from '@fenestra/steps';
import type { JoinedNodeFacts } from '../node/node-facts.ts';
import { gatherNodeFacts, requireJoined } from '../node/node-facts.ts';
import type { NodeSession } from '../node-session.ts';
import { joinedAgentService } from '../service-program/agent-service.ts';
import type { ProgramService } from '../service-program/program-service.ts';
import {
  BACKUP_FILE,
  backupsToPrune,
  listVersionBackups,
  type BackupRecord,
  type VersionBackup,
} from './version-backup.ts';

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
  readonly hasDatabase: boolean;
}

/** A file that is copied into the backup, and what is at its place already. */
export interface BackedUpFile {
  readonly from: string;
  readonly to: string;
  readonly sha256: string;
  readonly replacedSha256: string | null;
  readonly mode: number;
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
  /** Where the replaced version is kept. */
  readonly backupFolder: string;
  readonly backedUp: readonly BackedUpFile[];
  readonly database: string;
  readonly pruned: readonly VersionBackup[];
  /** Digest of the file that says which version is installed. */
  readonly versionFileSha256: string | null;
  /** Digest of the record of an earlier backup in the same place. */
  readonly backupRecordSha256: string | null;
}

/** What is wanted: another version, and perhaps what was kept with it. */
export interface UpgradeRequest {
  readonly target: AgentSource;
  readonly restoring?: Restoring;
  readonly wishes: UpgradeWishes;
}

const PRIVATE_MODE = 0o600;
const EXECUTABLE_MODE = 0o755;

/** Looks at the machine and changes nothing. */
export async function gatherUpgradeFacts(session: NodeSession, request: UpgradeRequest): Promise<UpgradeFacts> {
  const { layout, executable, root, now } = session;
  const node = requireJoined(await gatherNodeFacts(session));
  const config = requireUsable(node);
  const wanted = joinedAgentService(layout);
  const current = currentVersion(node, now());
  const backupFolder = join(layout.backupsFolder, backupName(current, request.target));
  const others = (await listVersionBackups(layout.backupsFolder)).filter(({ folder }) => folder !== backupFolder);
  return {
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
    backedUp: await filesToBackUp(node, layout, backupFolder),
    database: config.database.dataSource,
    // The one that is about to be made counts too, and its size is much like that of the newest.
    pruned: backupsToPrune(
      [{ ...current, folder: backupFolder, bytes: others[0]?.bytes ?? 0 }, ...others],
      request.wishes,
    ).filter(({ folder }) => folder !== backupFolder),
    versionFileSha256: await digestIfAny(layout.versionFile),
    backupRecordSha256: await digestIfAny(join(backupFolder, BACKUP_FILE)),
  };
}

/** Where the new program waits for its turn, beside the old one. */
export function stagedProgram({ layout }: Pick<UpgradeFacts, 'layout'>): string {
  return join(dirname(layout.agentExecutable), `staged-${basename(layout.agentExecutable)}`);
}

/** A file of the backup, by the name it has at its own place. */
export function backupOf({ backupFolder }: Pick<UpgradeFacts, 'backupFolder'>, path: string): string {
  return join(backupFolder, basename(path));
}

/** The step that copies a file over another, of which the digest is known, if there is one. */
export function placing(
  { from, to, sha256, mode }: Pick<BackedUpFile, 'from' | 'to' | 'sha256' | 'mode'>,
  replacedSha256: string | null,
): PlaceFile {
  const keep = previousVersion(to, replacedSha256 ?? 'none');
  return { kind: 'place-file', from, to, sha256, mode, keep, companions: [] };
}

/** Whether the program that is wanted is in place already. */
export function isInPlace({ target, node }: UpgradeFacts): boolean {
  return target.executableSha256 === node.installedSha256;
}

/** Two builds of one version must not take each other's place. */
function backupName({ version, sha256 }: BackupRecord, target: AgentSource): string {
  return version === versionTag(target.version) ? `${version}-${sha256.slice(0, 12)}` : version;
}

function currentVersion(node: JoinedNodeFacts, now: Date): BackupRecord {
  return {
    version: versionTag(node.installedVersion ?? `unknown-${node.installedSha256.slice(0, 12)}`),
    agent: node.agent === undefined && node.service.state === 'running' ? 'upstream' : 'fenestra',
    sha256: node.installedSha256,
    takenAt: now.toISOString(),
  };
}

function requireUsable({ config, configProblem }: JoinedNodeFacts): NonNullable<JoinedNodeFacts['config']> {
  if (config !== undefined) return config;
  throw (
    configProblem ??
    new OperatorError('CONFIG_INVALID', 'The node has no configuration', { hint: 'Reset and join again.' })
  );
}

async function filesToBackUp(
  node: JoinedNodeFacts,
  layout: NodeSession['layout'],
  folder: string,
): Promise<readonly BackedUpFile[]> {
  const sources = [
    { from: layout.agentExecutable, mode: EXECUTABLE_MODE, sha256: node.installedSha256 },
    { from: layout.agentConfigFile, mode: PRIVATE_MODE, sha256: await digestOf(layout.agentConfigFile) },
  ];
  return Promise.all(
    sources.map(async (source) => {
      const to = join(folder, basename(source.from));
      return { ...source, to, replacedSha256: await digestIfAny(to) };
    }),
  );
}
