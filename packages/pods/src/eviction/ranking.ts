import { isStaticPod, type Pod } from '../pod/pod.ts';
import { isCritical, isNodeCritical } from '../resources/oom-score.ts';
import { podRequest } from '../resources/pod-resources.ts';
import type { StopRequest } from '../facts.ts';
import type { CrossedThreshold, EvictionSignal } from './thresholds.ts';

/** What a pod uses. */
export interface PodUsage {
  readonly pod: Pod;
  /** The working set of its containers. */
  readonly memoryBytes: number;
  /** Its writable layers, logs and volumes on the disk of the node. */
  readonly diskBytes: number;
  /** The files and folders of these. */
  readonly inodes: number;
  readonly processes: number;
}

/** The pods that may be evicted for a signal, the first one first. */
export function evictionOrder(signal: EvictionSignal, usages: readonly PodUsage[]): readonly PodUsage[] {
  return usages
    .filter(({ pod }) => !isProtected(pod))
    .map((usage) => ({ usage, rank: rankOf(signal, usage) }))
    .toSorted((a, b) => compare(a.rank, b.rank))
    .map(({ usage }) => usage);
}

/** The request to stop a pod because its node runs short. */
export function evictionRequest(
  { pod }: PodUsage,
  { signal, hard, quantity, available }: CrossedThreshold,
  maxSoftGraceSeconds: number,
): StopRequest {
  const resource = EVICTION_RESOURCES[signal];
  const message =
    `The node was low on resource: ${resource}. ` +
    `Threshold quantity: ${quantity}, available: ${formatAmount(signal, available)}. `;
  const grace = Math.min(pod.spec.terminationGracePeriodSeconds, maxSoftGraceSeconds);
  return { cause: 'evicted', reason: 'Evicted', message, graceSeconds: hard ? HARD_GRACE_SECONDS : grace };
}

const HARD_GRACE_SECONDS = 1;

/** What a node is short of, by signal. */
export const EVICTION_RESOURCES: Readonly<Record<EvictionSignal, string>> = {
  'memory.available': 'memory',
  'nodefs.available': 'ephemeral-storage',
  'nodefs.inodesFree': 'inodes',
  'imagefs.available': 'ephemeral-storage',
  'imagefs.inodesFree': 'inodes',
  'pid.available': 'pids',
};

/** A node needs these, or nothing would start them again. */
function isProtected(pod: Pod): boolean {
  return isNodeCritical(pod) || (isStaticPod(pod) && isCritical(pod));
}

/** Those that use more than they asked for go first, then those of lower priority, then those that use most. */
function rankOf(signal: EvictionSignal, usage: PodUsage): readonly number[] {
  const { pod, memoryBytes, diskBytes, inodes, processes } = usage;
  const priority = pod.spec.priority ?? 0;
  if (signal === 'pid.available') return [priority, -processes];
  // No pod can ask for inodes, so every one uses more than it asked for.
  if (signal.endsWith('inodesFree')) return [0, priority, -inodes];
  const isMemory = signal === 'memory.available';
  const used = isMemory ? memoryBytes : diskBytes;
  const excess = used - podRequest(pod.spec, isMemory ? 'memory' : 'ephemeral-storage');
  return [excess > 0 ? 0 : 1, priority, -excess];
}

function compare(one: readonly number[], other: readonly number[]): number {
  const index = one.findIndex((value, at) => value !== other[at]);
  return index === -1 ? 0 : (one[index] ?? 0) - (other[index] ?? 0);
}

function formatAmount(signal: EvictionSignal, available: number): string {
  const isCount = signal === 'pid.available' || signal.endsWith('inodesFree');
  return isCount ? String(available) : `${Math.floor(available / 1024)}Ki`;
}
