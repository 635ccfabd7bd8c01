import type { Machine } from './machine.ts';
import type { HostFacts } from '@fenestra/platform';
import { nodeAllocatable, nodeCapacity, type Resources } from './node-capacity.ts';
import { type ConditionInput, type NodeCondition, nodeConditions } from './node-conditions.ts';

/** A node's status as a kubelet fills it. */
export type NodeStatus = {
  readonly addresses: readonly { readonly type: string; readonly address: string }[];
  readonly allocatable: Resources;
  readonly capacity: Resources;
  readonly conditions: readonly NodeCondition[];
  readonly daemonEndpoints: { readonly kubeletEndpoint: { readonly Port: number } };
  readonly nodeInfo: { readonly [field: string]: string };
};

/** What a status is made from. */
export interface StatusInput extends ConditionInput {
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
    // Nothing listens for the API server's calls: zero is how that is said.
    daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
    nodeInfo: nodeInfo(machine, kubeletVersion),
  };
}

/** What Kubernetes calls this machine's processor. */
export function architectureOf({ arch }: HostFacts): string {
  return ARCHITECTURES[arch];
}

function nodeInfo({ facts, runtime }: Machine, kubeletVersion: string): NodeStatus['nodeInfo'] {
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
