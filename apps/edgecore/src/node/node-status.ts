import { isDeepStrictEqual } from 'node:util';
import type { NodeReport } from '@fenestra/contracts';
import type { Json, JsonObject } from '@fenestra/kernel';
import type { HostFacts } from '@fenestra/platform';
import type { Machine } from './machine.ts';
import { nodeAllocatable, nodeCapacity, type Resources } from './node-capacity.ts';
import { type ConditionInput, type EdgedState, type NodeCondition, nodeConditions } from './node-conditions.ts';
import type { NodeSettings } from './node-settings.ts';

/** A node's status as a kubelet fills it. */
export type NodeStatus = {
  readonly addresses: readonly { readonly type: string; readonly address: string }[];
  readonly allocatable: Resources;
  readonly capacity: Resources;
  readonly conditions: readonly NodeCondition[];
  /** The largest first. */
  readonly images: readonly { readonly names: readonly string[]; readonly sizeBytes: number }[];
  readonly daemonEndpoints: { readonly kubeletEndpoint: { readonly Port: number } };
  readonly nodeInfo: { readonly [field: string]: string };
};

/** What a status is made from. */
interface StatusInput extends ConditionInput {
  readonly machine: Machine;
  readonly settings: NodeSettings;
  readonly nodeName: string;
  readonly kubeletVersion: string;
}

/** The names Kubernetes has for processors. */
const ARCHITECTURES: Readonly<Record<HostFacts['arch'], string>> = { x64: 'amd64', arm64: 'arm64', other: 'unknown' };

/** Says how the node is. */
export function nodeStatus(input: StatusInput): NodeStatus {
  const { machine, settings, nodeName, kubeletVersion } = input;
  return {
    addresses: [
      { type: 'InternalIP', address: machine.address },
      { type: 'Hostname', address: nodeName },
    ],
    allocatable: nodeAllocatable(machine, settings),
    capacity: nodeCapacity(machine, settings),
    conditions: nodeConditions(input),
    images: listedImages(input.edged, settings),
    // Nothing listens for the API server's calls: zero is how that is said.
    daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
    nodeInfo: nodeInfoOf(machine, kubeletVersion),
  };
}

/** So many names of an image are listed. */
const MOST_NAMES = 5;

function listedImages({ images }: EdgedState, { maxImages }: NodeSettings): NodeStatus['images'] {
  return images
    .toSorted((a, b) => b.sizeBytes - a.sizeBytes)
    .slice(0, maxImages)
    .map(({ names, sizeBytes }) => ({ names: names.slice(0, MOST_NAMES), sizeBytes }));
}

/** What Kubernetes calls this machine's processor. */
function architectureOf({ arch }: HostFacts): string {
  return ARCHITECTURES[arch];
}

function nodeInfoOf({ facts, runtime }: Machine, kubeletVersion: string): NodeStatus['nodeInfo'] {
  return {
    architecture: architectureOf(facts),
    bootID: facts.bootId,
    containerRuntimeVersion: runtime ?? silentRuntime(facts),
    kernelVersion: facts.os === 'windows' ? facts.osVersion : facts.build,
    kubeProxyVersion: '',
    kubeletVersion,
    machineID: '',
    operatingSystem: facts.os,
    osImage: facts.osName,
    systemUUID: '',
  };
}

/** Which runtime is there is seen from its socket, even if it does not answer. */
function silentRuntime({ runtimes }: HostFacts): string {
  const [first] = runtimes;
  return first === undefined ? 'unknown' : `${first.runtime}://unknown`;
}

/** The labels a node registers with: the roles upstream gives it, the system's, and the operator's own. */
export function nodeLabels(settings: NodeSettings, facts: HostFacts): Readonly<Record<string, string>> {
  const architecture = architectureOf(facts);
  const isWindows = facts.os === 'windows';
  return {
    ...settings.labels,
    'beta.kubernetes.io/arch': architecture,
    'beta.kubernetes.io/os': facts.os,
    'kubernetes.io/arch': architecture,
    'kubernetes.io/hostname': settings.name,
    'kubernetes.io/os': facts.os,
    'node-role.kubernetes.io/agent': '',
    'node-role.kubernetes.io/edge': '',
    ...(isWindows ? { 'node.kubernetes.io/windows-build': facts.osVersion } : {}),
  };
}

/** The Node a kubelet registers. */
export function nodeObject(settings: NodeSettings, facts: HostFacts, status: NodeStatus): JsonObject {
  const metadata = { name: settings.name, labels: nodeLabels(settings, facts) };
  return { apiVersion: 'v1', kind: 'Node', metadata, spec: nodeSpec(settings), status };
}

function nodeSpec({ taints, schedulable }: NodeSettings): JsonObject {
  const unschedulable = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
  const all = schedulable ? taints : [...taints, unschedulable];
  return { ...(all.length > 0 ? { taints: all } : {}), ...(schedulable ? {} : { unschedulable: true }) };
}

/**
 * The strategic merge patch that brings the cloud's copy of the status up to date: what differs from `before`, and the
 * conditions in any case, since their heartbeat is the news. Without `before` everything.
 */
export function statusPatch(status: NodeStatus, before: NodeStatus | undefined): JsonObject {
  const { addresses, capacity, allocatable, nodeInfo, daemonEndpoints, conditions, images } = status;
  const changed = (part: keyof NodeStatus): boolean =>
    before === undefined || !isDeepStrictEqual(status[part], before[part]);
  return {
    status: {
      ...(changed('addresses') ? { addresses: replaced(addresses) } : {}),
      ...(changed('allocatable') ? { allocatable: merged(allocatable, before?.allocatable) } : {}),
      ...(changed('capacity') ? { capacity: merged(capacity, before?.capacity) } : {}),
      conditions,
      ...(changed('daemonEndpoints') ? { daemonEndpoints } : {}),
      ...(changed('images') ? { images } : {}),
      ...(changed('nodeInfo') ? { nodeInfo } : {}),
    },
  };
}

/** Whether two statuses say the same, leaving aside when it was said. */
export function saysTheSame(one: NodeStatus, other: NodeStatus): boolean {
  return isDeepStrictEqual(withoutHeartbeats(one), withoutHeartbeats(other));
}

/** Addresses merge by their type, but there may be several of one type: the list is replaced as a whole. */
function replaced(addresses: NodeStatus['addresses']): Json {
  return [...addresses, { $patch: 'replace' }];
}

/** What is no longer there has to be taken out by name. */
function merged(resources: Resources, before: Resources = {}): Json {
  const gone = Object.keys(before).filter((name) => resources[name] === undefined);
  return { ...resources, ...Object.fromEntries(gone.map((name) => [name, null])) };
}

function withoutHeartbeats({ conditions, ...rest }: NodeStatus): unknown {
  return { ...rest, conditions: conditions.map((condition) => ({ ...condition, lastHeartbeatTime: undefined })) };
}

/** What is known of the node's standing in the cloud. */
interface Standing {
  readonly registered: boolean;
  /** The last status the cloud has taken. */
  readonly reported: NodeStatus | undefined;
  /** Why the last try to tell the cloud failed. */
  readonly problem: string | undefined;
}

/** Says how the cloud knows the node. */
export function nodeReport({ registered, reported, problem }: Standing): NodeReport {
  const condition = reported?.conditions.find(({ type }) => type === 'Ready');
  const ready = condition?.status ?? 'Unknown';
  const reason = problem ?? condition?.message;
  return { registered, ready, ...(ready === 'True' || reason === undefined ? {} : { reason }) };
}

/** The Kubernetes whose kubelet behaviour this agent follows; KubeEdge v1.23 builds on the same. */
const KUBERNETES_VERSION = 'v1.32.10';

/** What a node says its kubelet's version is, in upstream's form: the Kubernetes version, then the agent's. */
export function kubeletVersionOf(agentVersion: string): string {
  return `${KUBERNETES_VERSION}-kubeedge-v${agentVersion.replace(/^v/, '')}`;
}
