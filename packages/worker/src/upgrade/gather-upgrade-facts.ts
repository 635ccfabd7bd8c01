import { existsSync } from 'node:fs';
import { compareVersions, parseKubernetesVersion, type Patch } from '@fenestra/contracts/kube';
import { OperatorError } from '@fenestra/kernel';
import { type ClusterNode, type NamedFinding } from '@fenestra/session';
import { digestOfText } from '@fenestra/steps';
import { type NeededRoom, requireRoom, sizeOf } from '@fenestra/platform';
import { type ClusterSettings, readClusterSettings } from '../join/find-cluster.ts';
import { gatherMachine, installed, type WorkerMachine } from '../machine/gather-machine.ts';
import { chooseRuntime, runtimeSocket } from '../machine/runtime-socket.ts';
import { requireSameNode } from '../machine/same-node.ts';
import { readIdentity } from '../machine/worker-identity.ts';
import { KUBE_UPGRADE_CHECKS, passPreflight } from '../preflight/worker-checks.ts';
import { gatherPrepareFacts } from '../prepare/gather-prepare-facts.ts';
import { type ProgramWishes, wantedPrograms } from '../prepare/wanted-programs.ts';
import { keptPatches, type Membership } from '../worker-record.ts';
import type { WorkerSession } from '../worker-session.ts';
import { choosePatches } from '../join/patches.ts';
import { presentFiles, refreshFiles, wantedAnnotations } from './refresh-files.ts';
import {
  backupFolderOf,
  isUpToDate,
  type KubeUpgradeFacts,
  listWorkerBackups,
  surplusBackups,
} from './upgrade-facts.ts';

/** What an operator wants of a change of version. */
export interface KubeUpgradeWishes {
  readonly programs: ProgramWishes;
  /** With which the node is drained; the node's own where it is left out. */
  readonly kubeconfig: string | undefined;
  readonly drain: boolean;
  readonly drainLimitSeconds: number;
  readonly patchesFolder: string | undefined;
  readonly waived: readonly string[];
  readonly madeAt: Date;
  readonly keep: number;
  readonly limitSeconds: number;
  readonly settleSeconds: number;
}

/** A worker that is about to get another version, and what is odd about it. */
export interface GatheredUpgrade {
  readonly facts: KubeUpgradeFacts;
  readonly findings: readonly NamedFinding[];
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
  const { settings, server } = await askCluster(session, nodeName, signal);
  const node = requireNode(settings.node, nodeName);
  const { kubeconfig } = wishes;
  const { layout } = machine;
  if (kubeconfig !== undefined) await requireSameNode(session.ports, { kubeconfig, layout }, nodeName, signal);
  const files = await presentFiles(machine);
  const criSocket = chooseRuntime(await runtimeSocket(machine, node.annotations), machine.host);
  const { madeAt, waived } = wishes;
  const cluster = { server, version: settings.version, existingNode: settings.node };
  const checked = { machine, madeAt, nodeName, sources, criSocket, swapTolerated: true, cluster };
  const findings = await passPreflight(
    session,
    { ...checked, checks: KUBE_UPGRADE_CHECKS, waived, activity: 'upgrade' },
    signal,
  );
  const member = machine.record?.cluster ?? undefined;
  const reading = await choosePatches(wishes.patchesFolder, member);
  const { patches } = reading;
  const refreshed = await refreshFiles(session, { machine, patches, settings, files, criSocket, targetVersion });
  const membership = member === undefined ? {} : { membership: patched(member, patches) };
  const prepared = await gatherPrepareFacts(session, { machine, sources, folders: [], claimed: [], ...membership });
  const current = { version: currentVersion, takenAt: session.now().toISOString() };
  const backups = await listWorkerBackups(machine.layout.backupsFolder);
  const facts: KubeUpgradeFacts = {
    ...prepared,
    root: session.root,
    nodeName,
    drainKubeconfig: kubeconfig ?? layout.kubeconfig,
    drains: wishes.drain,
    drainLimitSeconds: wishes.drainLimitSeconds,
    ready: node.ready === 'True',
    schedulable: node.schedulable,
    current,
    targetVersion,
    kept: files.flatMap(({ path, text }) => (text === undefined ? [] : [{ path, sha256: digestOfText(text) }])),
    refreshed: refreshed.files,
    annotations: wantedAnnotations(node, { settings, targetVersion, criSocket }),
    backupFolder: backupFolderOf(machine.layout, current, existsSync),
    pruned: surplusBackups(backups, current, wishes.keep),
    healthz: refreshed.healthz,
    limitSeconds: wishes.limitSeconds,
    settleSeconds: wishes.settleSeconds,
  };
  if (!isUpToDate(facts)) await requireRoom(session, await neededRoom(facts));
  const older = olderVersion(currentVersion, targetVersion);
  const unused = unusedPatches(facts, wishes);
  return { facts, findings, warnings: [...older, ...reading.warnings, ...unused, ...refreshed.warnings] };
}

/** The configuration is made again with another version, and only then. */
function unusedPatches(facts: KubeUpgradeFacts, { patchesFolder }: KubeUpgradeWishes): readonly string[] {
  if (patchesFolder === undefined || !isUpToDate(facts)) return [];
  return [`"--patches" is ignored: ${facts.targetVersion} is already installed, and its configuration is kept`];
}

function patched({ patches: _earlier, ...member }: Membership, patches: readonly Patch[]): Membership {
  return { ...member, ...keptPatches(patches) };
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
  if (machine.hasIdentity && nodeName !== undefined && currentVersion !== undefined)
    return { nodeName, currentVersion };
  throw new OperatorError('NODE_ABSENT', 'Cannot upgrade: this machine is not a worker of a Kubernetes cluster', {
    hint: 'Join one with "keadm kube join", or see its status with "keadm kube status".',
  });
}

/** There is no other way back manually, so it is done; but it may be a slip. */
function olderVersion(current: string, target: string): readonly string[] {
  return compareVersions(target, current) < 0 ? [`${target} is older than ${current}, which is installed`] : [];
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
    hint: 'See why its kubelet does not register it with "keadm kube status"; a worker that was deleted has to join again.',
  });
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
