import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { AgentStatus, DamagedObject } from '@fenestra/contracts';
import {
  journalFolder,
  nodeLockOwner,
  OperatorError,
  systemCodeOf,
  type ErrorCode,
  type LockOwner,
} from '@fenestra/kernel';
import { AGENT_SERVICE, CLOUD_SERVICE, gatherNodeFacts, type NodeFacts } from '@fenestra/lifecycle';
import type { NodeView } from '@fenestra/lifecycle/cloud';
import type { ServiceStatus } from '@fenestra/platform';
import { GUARD_SERVICE } from '@fenestra/session';
import type { KeadmEnvironment, KeadmPlatform } from '../platform.ts';
import { openNodePods } from '../pods/node-pods.ts';
import { podsStatus, type PodsStatus } from '../pods/pods-status.ts';
import { readHistoryEntry, type HistoryEntry } from './history-entry.ts';
import { withCloud, type CloudFlags } from './kubeconfig-option.ts';

/** A runtime that does not answer must not keep the rest of the status from being shown. */
const RUNTIME_MS = 5_000;

/** What the cloud says, or why it cannot be asked. */
export type CloudState =
  | {
      readonly server: string;
      readonly nodes: readonly NodeView[];
      /** Objects that the embedded API has set aside: they are missing until they are created again. */
      readonly damaged: readonly DamagedObject[];
    }
  | Unknown;

/** Where the node on this machine stands. */
export interface NodeStatus {
  readonly name: string | undefined;
  readonly version: string | undefined;
  /** `host:port` of the cloud's hub. */
  readonly cloudAddress: string | undefined;
  /** Until when the node's certificate is good; `undefined` while it has none. */
  readonly certificateExpires: string | undefined;
  /** Why the certificate that is there cannot be used. */
  readonly certificateProblem: string | undefined;
  /** Why the configuration cannot be used. */
  readonly configProblem: string | undefined;
  /** What is there of a node although none is registered. */
  readonly leftovers: readonly string[];
}

/** What was done to the node, as far as its journals may be read. */
export interface WorkStatus {
  readonly last: HistoryEntry | undefined;
  /** Runs that have not come to an end, the oldest first. */
  readonly unfinished: readonly HistoryEntry[];
  /** Who changes the node right now. */
  readonly underWay: LockOwner | undefined;
}

/** Why something is not known, mostly for want of rights. */
export interface Unknown {
  readonly unknown: string;
  readonly code: ErrorCode;
}

/** Everything `keadm status` tells. */
export interface MachineStatus {
  readonly services: { readonly cloud: ServiceStatus; readonly agent: ServiceStatus };
  readonly guardArmed: boolean;
  /** What the running agent says of itself. */
  readonly agent: AgentStatus | undefined;
  readonly node: NodeStatus | Unknown;
  readonly work: WorkStatus | Unknown;
  /** `undefined` where there is no node that runs pods. */
  readonly pods?: PodsStatus | Unknown;
  /** `undefined` where there is no cloud to be asked. */
  readonly cloud: CloudState | undefined;
}

/** Looks at the machine and at its cloud, and changes nothing. */
export async function gatherStatus(environment: KeadmEnvironment, flags: CloudFlags): Promise<MachineStatus> {
  const platform = await environment.loadPlatform(flags.root);
  const { services } = platform;
  const cloud = await services.status(CLOUD_SERVICE);
  const facts = await orUnknown(nodeFactsOf(platform));
  const asksCloud = cloud.state !== 'absent' || flags.kubeconfig !== undefined;
  return {
    services: { cloud, agent: await services.status(AGENT_SERVICE) },
    guardArmed: (await services.status(GUARD_SERVICE)).state !== 'absent',
    agent: 'unknown' in facts ? undefined : facts.agent,
    node: 'unknown' in facts ? facts : await nodeStatus(facts),
    work: await orUnknown(workStatus(platform, environment.now)),
    ...(runsPods(facts) && { pods: await orUnknown(statusOfPods(platform, environment.signal)) }),
    cloud: asksCloud ? await askCloud(environment, flags) : undefined,
  };
}

function runsPods(facts: NodeFacts | Unknown): boolean {
  return !('unknown' in facts) && facts.config?.modules.edged.enable === true;
}

async function statusOfPods(platform: KeadmPlatform, signal: AbortSignal): Promise<PodsStatus> {
  const node = await openNodePods(platform, AbortSignal.any([signal, AbortSignal.timeout(RUNTIME_MS)]));
  try {
    return podsStatus((await node.list()).pods);
  } finally {
    node.runtime.close();
  }
}

async function nodeFactsOf({ host, layout, files, access, services }: KeadmPlatform): Promise<NodeFacts> {
  const ports = { host, files, access, services, secrets: new Map<string, string>() };
  return gatherNodeFacts({ host, layout, ports }, { asksProgram: false });
}

async function nodeStatus({
  nodeName,
  certificateFile,
  config,
  configProblem,
  installedVersion,
  leftovers,
}: NodeFacts): Promise<NodeStatus> {
  return {
    name: nodeName,
    version: installedVersion,
    cloudAddress: config?.modules.edgeHub.websocket.server,
    ...(await certificateStatus(certificateFile)),
    configProblem: configProblem?.message,
    leftovers,
  };
}

/** A node that has not joined yet has no certificate. */
async function certificateStatus(file: string): Promise<Pick<NodeStatus, 'certificateExpires' | 'certificateProblem'>> {
  const none = { certificateExpires: undefined, certificateProblem: undefined };
  try {
    const bytes = await readFile(file);
    return { ...none, certificateExpires: new X509Certificate(bytes).validToDate.toISOString() };
  } catch (cause) {
    const code = systemCodeOf(cause);
    if (code === 'ENOENT') return none;
    const isRead = code.startsWith('ERR_');
    return {
      ...none,
      certificateProblem: isRead ? `"${file}" is not a certificate` : `Cannot read "${file}" (${code})`,
    };
  }
}

async function workStatus({ host, layout, files }: KeadmPlatform, now: () => Date): Promise<WorkStatus> {
  const paths = await journalFolder(layout.journalFolder, files, now).list();
  const entries = await Promise.all(paths.map(readHistoryEntry));
  const owner = await nodeLockOwner(layout.lockFolder);
  return {
    last: entries.at(-1),
    unfinished: entries.filter(({ outcome }) => outcome !== 'applied' && outcome !== 'reverted'),
    underWay: owner !== undefined && (await host.isAlive(owner)) ? owner : undefined,
  };
}

async function askCloud(environment: KeadmEnvironment, flags: CloudFlags): Promise<CloudState> {
  const { signal } = environment;
  return orUnknown(
    withCloud(environment, flags, async (cloud) => ({
      server: cloud.server,
      nodes: await cloud.nodes(signal),
      damaged: await cloud.damagedObjects(signal),
    })),
  );
}

async function orUnknown<T>(question: Promise<T>): Promise<T | Unknown> {
  return question.catch((error: unknown) => {
    if (error instanceof OperatorError) return { unknown: error.message, code: error.code };
    throw error;
  });
}
