import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { nodeNameOf } from '@fenestra/contracts/kube';
import { type Plan, planWorkflow } from '@fenestra/kernel';
import type { ProgramSource } from '@fenestra/releases';
import {
  type CarriedOut,
  changeWithScripts,
  type HeardRun,
  heardSession,
  type NamedFinding,
  type ScriptedChange,
  type ScriptedWork,
} from '@fenestra/session';
import { gatherMachine, installed, type WorkerMachine } from '../machine/gather-machine.ts';
import { findNetworks } from '../machine/pod-networks.ts';
import { chooseRuntime } from '../machine/runtime-socket.ts';
import { KUBE_JOIN_CHECKS, passPreflight } from '../preflight/worker-checks.ts';
import { gatherPrepareFacts } from '../prepare/gather-prepare-facts.ts';
import { wantedPrograms } from '../prepare/wanted-programs.ts';
import type { Membership } from '../worker-record.ts';
import type { WorkerSession } from '../worker-session.ts';
import { composeMembership } from './compose-membership.ts';
import { findCluster } from './find-cluster.ts';
import { BOOTSTRAP_SECRET, type KubeJoinFacts, type KubeJoinWishes } from './join-facts.ts';
import { readKubeletConfiguration } from './kubelet-settings.ts';
import { presentMembership, refuseOldIdentity } from './membership.ts';
import { KUBE_JOIN } from './workflow.ts';

type WorkerJoin = CarriedOut<PlannedKubeJoin> & { readonly change: ScriptedChange; readonly received: HeardRun };

/** Joins this machine to a cluster, or leaves it as it was. `onPlanned` is called before anything is changed. */
export async function joinWorker(
  session: WorkerSession,
  wishes: KubeJoinWishes,
  { scripted, onPlanned }: { readonly scripted: ScriptedWork; readonly onPlanned: (planned: PlannedKubeJoin) => void },
  signal: AbortSignal,
): Promise<WorkerJoin> {
  const received = heardSession(session);
  const makePlan = async (): Promise<PlannedKubeJoin> => planKubeJoin(session, wishes, signal);
  const plan = { session: received.session, command: 'keadm kube join', makePlan, onPlanned };
  return { ...(await changeWithScripts(scripted, plan, signal)), received };
}

/** A join that can be run. */
export interface PlannedKubeJoin {
  readonly plan: Plan;
  readonly facts: KubeJoinFacts;
  readonly findings: readonly NamedFinding[];
  /** What is odd or was left out, to be printed once. */
  readonly warnings: readonly string[];
  /** What the run has to know, and its journal must not. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** Looks at the machine and the cluster, and plans what is missing. Changes nothing. */
export async function planKubeJoin(
  session: WorkerSession,
  wishes: KubeJoinWishes,
  signal: AbortSignal,
): Promise<PlannedKubeJoin> {
  const machine = await gatherMachine(session, signal);
  const { configuration } = wishes;
  const nodeName = nodeNameOf({
    hostName: machine.host.hostName,
    registrationName: configuration.nodeName,
    extraArgs: configuration.kubeletExtraArgs,
  });
  const ca = await readFile(machine.layout.caFile, 'utf8').catch(() => undefined);
  const present = presentMembership(machine, { discovery: configuration.discovery, nodeName, ca });
  return present === undefined
    ? planNew(session, { machine, wishes, nodeName }, signal)
    : planKnown(session, { machine, wishes, present });
}

interface Attempt {
  readonly machine: WorkerMachine;
  readonly wishes: KubeJoinWishes;
  readonly nodeName: string;
}

async function planNew(session: WorkerSession, attempt: Attempt, signal: AbortSignal): Promise<PlannedKubeJoin> {
  const { machine, wishes, nodeName } = attempt;
  if (wishes.bootstrap === 'kubelet') refuseOldIdentity(machine);
  const criSocket = chooseRuntime(wishes.configuration.criSocket, machine.host);
  const sources = wishes.programs === undefined ? [] : await wantedPrograms(wishes.programs, machine.host, signal);
  const found = await findCluster(session, { configuration: wishes.configuration, nodeName }, signal);
  const { settings, server } = found;
  const swapTolerated =
    readKubeletConfiguration(settings.kubeletText)?.swapTolerated === true ||
    wishes.configuration.kubeletExtraArgs.some(({ name, value }) => name === 'fail-swap-on' && value === 'false');
  const cluster = { server, version: settings.version, existingNode: settings.node };
  const { madeAt, waived } = wishes;
  const checked = { machine, nodeName, madeAt, criSocket, sources, swapTolerated, cluster };
  const findings = await passPreflight(session, { ...checked, checks: KUBE_JOIN_CHECKS, waived }, signal);
  const kubeletVersion = versionToRun(machine, sources);
  const composed = await composeMembership(session, { ...attempt, criSocket, kubeletVersion, found });
  const { layout } = machine;
  const claimed = [layout.kubeletFolder, layout.certificatesFolder];
  const prepared = await gatherPrepareFacts(session, {
    machine,
    sources,
    claimed,
    folders: [layout.configFolder, layout.pkiFolder, layout.manifestsFolder, dirname(layout.logFile)],
    membership: composed.membership,
    found: await findNetworks(session),
  });
  const facts: KubeJoinFacts = {
    ...prepared,
    ...proofWishes(wishes),
    nodeName,
    server: found.server,
    criSocket,
    claimed,
    kubeletVersion,
    joining: composed.joining,
    healthz: composed.healthz,
  };
  return {
    plan: planWorkflow(KUBE_JOIN, facts),
    facts,
    findings,
    warnings: [...wishes.configuration.warnings, ...found.warnings, ...composed.warnings],
    secrets: new Map([[BOOTSTRAP_SECRET, found.bootstrapKubeconfig]]),
  };
}

/** A worker that has joined keeps all that it has; only what is missing of its service is made up for. */
async function planKnown(
  session: WorkerSession,
  known: { readonly machine: WorkerMachine; readonly wishes: KubeJoinWishes; readonly present: Membership },
): Promise<PlannedKubeJoin> {
  const { machine, wishes, present } = known;
  if (machine.foreignService !== undefined) throw machine.foreignService;
  const prepared = await gatherPrepareFacts(session, { machine, sources: [], claimed: [], folders: [] });
  const { host } = prepared;
  const kubeletVersion = installed(machine, 'kubelet')?.version ?? '';
  const configured = await readFile(machine.layout.kubeletConfig, 'utf8').catch(() => '');
  const facts: KubeJoinFacts = {
    ...prepared,
    ...proofWishes(wishes),
    host: { ...host, sha256: host.installedSha256 ?? host.sha256 },
    nodeName: present.nodeName,
    server: present.server,
    criSocket: present.criSocket,
    claimed: [],
    kubeletVersion,
    joining: undefined,
    healthz: readKubeletConfiguration(configured)?.healthz,
  };
  const plan = planWorkflow(KUBE_JOIN, facts);
  return { plan, facts, findings: [], warnings: keptVersion(wishes, kubeletVersion), secrets: new Map() };
}

function keptVersion({ programs }: KubeJoinWishes, present: string): readonly string[] {
  if (programs === undefined || present === '' || programs.version.replace(/^v?/, 'v') === present) return [];
  return [`The worker keeps kubelet ${present}; "keadm kube upgrade" changes it`];
}

function proofWishes({ waitReady, limitSeconds, settleSeconds }: KubeJoinWishes) {
  return { waitReady, limitSeconds, settleSeconds };
}

function versionToRun(machine: WorkerMachine, sources: readonly ProgramSource[]): string {
  return sources.find(({ name }) => name === 'kubelet')?.version ?? installed(machine, 'kubelet')?.version ?? '';
}
