import { qualityOfService } from '@fenestra/contracts/objects';
import type { Container } from '../pod/container-fields.ts';
import { isSidecar, type Pod } from '../pod/pod.ts';
import { requestOf } from './pod-resources.ts';

const PROTECTED = -997;
const NODE_CRITICAL_PRIORITY = 2_000_001_000;
const CRITICAL_PRIORITY = 2_000_000_000;

/** Whether the node cannot work without a pod. */
export function isNodeCritical({ spec }: Pod): boolean {
  return spec.priorityClassName === 'system-node-critical' || (spec.priority ?? 0) >= NODE_CRITICAL_PRIORITY;
}

/** Whether a pod is so important that others give way to it. */
export function isCritical({ spec }: Pod): boolean {
  return (spec.priority ?? 0) >= CRITICAL_PRIORITY || spec.priorityClassName?.startsWith('system-') === true;
}

/** How early the kernel kills a container that runs out of memory: the later, the more of the memory it asked for. */
export function oomScore(pod: Pod, container: Container, memoryCapacity: number): number {
  if (isNodeCritical(pod)) return PROTECTED;
  const quality = qualityOfService(pod);
  if (quality === 'Guaranteed') return PROTECTED;
  if (quality === 'BestEffort') return 1000;
  const score = 1000 - Math.floor((1000 * memoryOf(pod, container)) / memoryCapacity);
  return Math.min(999, Math.max(3, score));
}

/** A sidecar is not killed before the smallest regular container. */
function memoryOf({ spec }: Pod, container: Container): number {
  const own = requestOf(container, 'memory');
  const isSidecarOfPod = isSidecar(container) && spec.initContainers?.some(({ name }) => name === container.name);
  if (isSidecarOfPod !== true) return own;
  return Math.max(own, Math.min(...spec.containers.map((regular) => requestOf(regular, 'memory'))));
}
