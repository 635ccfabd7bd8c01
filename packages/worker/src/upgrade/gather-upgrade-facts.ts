import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import {
  compareVersions,
  CRI_SOCKET_ANNOTATION,
  parseFlagsEnv,
  parseKubernetesVersion,
  versionTraits,
} from '@fenestra/contracts/kube';
import { fileError, OperatorError, systemCodeOf } from '@fenestra/kernel';
import {
  digestIfAny,
  digestOfText,
  requirePassed,
  requireRoom,
  sizeOf,
  type ClusterNode,
  type NeededRoom,
  type PreflightFinding,
  type ProgramSource,
} from '@fenestra/steps';
import { readClusterSettings, type ClusterSettings } from '../join/cluster-settings.ts';
import { kubeletConfiguration } from '../join/kubelet-settings.ts';
import { readPatchFolder } from '../join/read-patch-folder.ts';
import { gatherMachine, installed, type WorkerMachine } from '../machine/gather-machine.ts';
import { readIdentity } from '../machine/worker-identity.ts';
import { chooseRuntime } from '../preflight/choose-runtime.ts';
import { examine, KUBE_UPGRADE_CHECKS } from '../preflight/examine.ts';
import { gatherPreflight } from '../preflight/gather-preflight.ts';
import { gatherPrepareFacts } from '../prepare/gather-prepare-facts.ts';
import { wantedPrograms, type ProgramWishes } from '../prepare/wanted-programs.ts';
import type { WorkerSession } from '../worker-session.ts';
import { runtimeSocket } from './runtime-socket.ts';
import { backupFolderOf, isUpToDate, type KubeUpgradeFacts, type RefreshedFile } from './upgrade-facts.ts';
import { upgradedFlags } from './upgraded-flags.ts';
import { listWorkerBackups, surplusBackups } from './version-backup.ts';

/** What an operator wants of a change of version. */
export interface KubeUpgradeWishes {
  readonly programs: ProgramWishes;
  readonly allowDowngrade: boolean;
  /** With which the node is drained; the node's own where it is left out. */
  readonly kubeconfig: string | undefined;
  readonly drain: boolean;
  readonly drainLimitSeconds: number;
  readonly patchesFolder: string | undefined;
  readonly waived: readonly string[];
  readonly madeAt: Date;
  /** How many versions to keep for a way back. */
  readonly keep: number;
  readonly limitSeconds: number;
  readonly settleSeconds: number;
}

/** A worker that is about to get another version, and what is odd about it. */
export interface GatheredUpgrade {
  readonly facts: KubeUpgradeFacts;
  readonly findings: readonly PreflightFinding[];
  readonly warnings: readonly string[];
}

/** Looks at the machine and its cluster and changes nothing. */
export async function gatherUpgrade(
  session: WorkerSession,
  wishes: KubeUpgradeWishes,
  signal: AbortSignal,
): Promise<GatheredUpgrade> {
  const machine = await gatherMachine(session, signal);
  const { nodeName, currentVersion } = await requireWorker(machine);
  const sources = await wantedPrograms(withPlaced(wishes.programs, machine), machine.host, signal);
  const targetVersion = parseKubernetesVersion(wishes.programs.version).text;
  refuseDowngrade(currentVersion, targetVersion, wishes.allowDowngrade);
  const { settings, server } = await askCluster(session, nodeName, signal);
  const node = requireNode(settings.node, nodeName);
  const files = await presentFiles(machine);
  const criSocket = socketOf(machine, files, node);
  const findings = await preflight(session, { machine, wishes, nodeName, sources, settings, server, criSocket }, signal);
  const refreshed = await refresh(session, { machine, wishes, settings, files, criSocket, targetVersion });
  const prepared = await gatherPrepareFacts(session, { machine, sources, folders: [], claimed: [] });
  const current = { version: currentVersion, takenAt: session.now().toISOString() };
  const backups = await listWorkerBackups(machine.layout.backupsFolder);
  const facts: KubeUpgradeFacts = {
    ...prepared,
    root: session.root,
    nodeName,
    drainKubeconfig: wishes.kubeconfig ?? machine.layout.kubeconfig,
    drains: wishes.drain,
    drainLimitSeconds: wishes.drainLimitSeconds,
    ready: node.ready === 'True',
    schedulable: node.schedulable,
    current,
    targetVersion,
    kept: files.flatMap(({ path, text }) => (text === undefined ? [] : [{ path, sha256: digestOfText(text) }])),
    refreshed: refreshed.files,
    annotations: wantedAnnotations(node, { settings, targetVersion, criSocket }),
    backupFolder: backupFolderOf(machine.layout, current),
    pruned: surplusBackups(backups, current, wishes.keep),
    healthz: refreshed.healthz,
    limitSeconds: wishes.limitSeconds,
    settleSeconds: wishes.settleSeconds,
  };
  if (!isUpToDate(facts)) await requireRoom(session, await neededRoom(facts));
  return { facts, findings, warnings: refreshed.warnings };
}

/** The programs that keadm placed earlier follow the kubelet. */
function withPlaced(programs: ProgramWishes, { record }: WorkerMachine): ProgramWishes {
  const placed = record?.programs.map(({ name }) => name) ?? [];
  return { ...programs, with: [...new Set([...programs.with, ...placed])] };
}

async function requireWorker(machine: WorkerMachine): Promise<{ nodeName: string; currentVersion: string }> {
  if (machine.foreignService !== undefined) throw machine.foreignService;
  const { nodeName: certified } = await readIdentity(machine.layout);
  const nodeName = machine.record?.cluster?.nodeName ?? certified;
  const currentVersion = installed(machine, 'kubelet')?.version;
  if (machine.hasIdentity && nodeName !== undefined && currentVersion !== undefined) return { nodeName, currentVersion };
  throw new OperatorError('NODE_ABSENT', 'Cannot upgrade: this machine is no worker of a Kubernetes cluster', {
    hint: 'Join one with "keadm kube join", or see where it stands with "keadm kube status".',
  });
}

function refuseDowngrade(current: string, target: string, allowed: boolean): void {
  if (allowed || compareVersions(target, current) >= 0) return;
  throw new OperatorError('DOWNGRADE_REFUSED', `Cannot upgrade to ${target}: it is older than ${current}, which is installed`, {
    hint: 'Insist with "--allow-downgrade".',
  });
}

async function askCluster(
  { ports, worker }: WorkerSession,
  nodeName: string,
  signal: AbortSignal,
): Promise<{ readonly settings: ClusterSettings; readonly server: string }> {
  const cluster = await ports.openCluster({ kubeconfigFile: worker.kubeconfig });
  try {
    return { settings: await readClusterSettings(cluster, nodeName, signal), server: cluster.server };
  } finally {
    cluster.close();
  }
}

function requireNode(node: ClusterNode | undefined, name: string): ClusterNode {
  if (node !== undefined) return node;
  throw new OperatorError('NODE_ABSENT', `Cannot upgrade: the cluster has no node "${name}"`, {
    hint: 'See why its kubelet does not register it with "keadm kube status"; a worker that was deleted has to join anew.',
  });
}

/** A file of the kubelet's, as it is. */
interface PresentFile {
  readonly path: string;
  readonly text: string | undefined;
}

async function presentFiles({ layout }: WorkerMachine): Promise<readonly PresentFile[]> {
  const paths = [layout.kubeletConfig, layout.instanceConfig, layout.flagsFile];
  return Promise.all(paths.map(async (path) => ({ path, text: await textIfAny(path) })));
}

async function textIfAny(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((cause: unknown) => {
    if (systemCodeOf(cause) === 'ENOENT') return undefined;
    throw fileError(cause, `read "${path}"`);
  });
}

function textOf(files: readonly PresentFile[], path: string): string | undefined {
  return files.find((file) => file.path === path)?.text;
}

function flagsIn(files: readonly PresentFile[], { layout }: WorkerMachine): readonly string[] {
  const text = textOf(files, layout.flagsFile);
  return text === undefined ? [] : parseFlagsEnv(text);
}

function socketOf(machine: WorkerMachine, files: readonly PresentFile[], { annotations }: ClusterNode): string {
  const said = runtimeSocket({
    instanceConfig: textOf(files, machine.layout.instanceConfig),
    flags: flagsIn(files, machine),
    annotations,
    recorded: machine.record?.cluster?.criSocket,
  });
  return chooseRuntime(said, machine.host);
}

async function preflight(
  session: WorkerSession,
  attempt: {
    readonly machine: WorkerMachine;
    readonly wishes: KubeUpgradeWishes;
    readonly nodeName: string;
    readonly sources: readonly ProgramSource[];
    readonly settings: ClusterSettings;
    readonly server: string;
    readonly criSocket: string;
  },
  signal: AbortSignal,
): Promise<readonly PreflightFinding[]> {
  const { wishes, settings, server } = attempt;
  const cluster = { server, version: settings.version, existingNode: settings.node };
  const facts = await gatherPreflight(
    session,
    { ...attempt, madeAt: wishes.madeAt, swapTolerated: true, cluster },
    signal,
  );
  const findings = examine(facts, KUBE_UPGRADE_CHECKS);
  requirePassed(findings, wishes.waived);
  return findings;
}

/** The kubelet's files as the new version wants them: from the cluster, with the operator's patches. */
async function refresh(
  session: WorkerSession,
  wanted: {
    readonly machine: WorkerMachine;
    readonly wishes: KubeUpgradeWishes;
    readonly settings: ClusterSettings;
    readonly files: readonly PresentFile[];
    readonly criSocket: string;
    readonly targetVersion: string;
  },
): Promise<Pick<KubeUpgradeFacts, 'healthz'> & { files: readonly RefreshedFile[]; warnings: readonly string[] }> {
  const { machine, wishes, settings, files, criSocket, targetVersion } = wanted;
  const { layout, host } = machine;
  const reading = await readPatchFolder(wishes.patchesFolder);
  const facts = await session.workerFacts();
  const kubelet = kubeletConfiguration({
    layout,
    os: host.os,
    drive: facts.os === 'windows' ? facts.systemDrive : undefined,
    cluster: settings.configuration,
    kubeletText: settings.kubeletText,
    version: targetVersion,
    criSocket,
    patches: reading.patches,
    resolver: undefined,
    hasFile: existsSync,
  });
  const { featureGates } = settings.configuration;
  const flags = upgradedFlags({ flags: flagsIn(files, machine), version: targetVersion, featureGates, criSocket });
  const texts = [
    { path: layout.kubeletConfig, content: kubelet.text },
    ...(kubelet.instanceConfig === undefined ? [] : [{ path: layout.instanceConfig, content: kubelet.instanceConfig }]),
    { path: layout.flagsFile, content: flags },
  ];
  const changed = texts.filter(({ path, content }) => textOf(files, path) !== content);
  const refreshed = changed.map(async (file) => ({ ...file, sha256: (await digestIfAny(file.path)) ?? undefined }));
  const warnings = [...reading.warnings, ...kubelet.warnings];
  return { files: await Promise.all(refreshed), healthz: kubelet.healthz, warnings };
}

function wantedAnnotations(
  { annotations }: ClusterNode,
  {
    settings,
    targetVersion,
    criSocket,
  }: { readonly settings: ClusterSettings; readonly targetVersion: string; readonly criSocket: string },
): Readonly<Record<string, string | null>> {
  const { criSocketAnnotation } = versionTraits(targetVersion, settings.configuration.featureGates);
  const present = annotations[CRI_SOCKET_ANNOTATION];
  if (criSocketAnnotation) return present === criSocket ? {} : { [CRI_SOCKET_ANNOTATION]: criSocket };
  return present === undefined ? {} : { [CRI_SOCKET_ANNOTATION]: null };
}

async function neededRoom(facts: KubeUpgradeFacts): Promise<readonly NeededRoom[]> {
  const { layout, programs, backupFolder, node, host } = facts;
  const exchanged = programs.filter(({ inPlace }) => !inPlace);
  const backup = exchanged.filter(({ replacedSha256 }) => replacedSha256 !== undefined).map(({ to }) => sizeOf(to));
  return [
    { path: layout.programFolder, bytes: exchanged.reduce((sum, { source }) => sum + source.size, 0) },
    { path: backupFolder, bytes: (await Promise.all(backup)).reduce((sum, bytes) => sum + bytes, 0) },
    { path: node.guardExecutable, bytes: await sizeOf(host.path) },
  ];
}
