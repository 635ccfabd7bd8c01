import { fieldOf, podReferences, type PodReference } from './pod-references.ts';
import { isOwnNode } from './report-problem.ts';

/** The annotation of a pod that only shows what its node runs from a file. */
export const MIRROR_ANNOTATION = 'kubernetes.io/config.mirror';

/** A pod, as far as these rules look at it. */
interface PodShape {
  readonly metadata?: object | undefined;
  readonly spec?: unknown;
}

/** Whether a pod only shows what its node runs from a file. */
export function isMirrorPod({ metadata }: PodShape): boolean {
  return fieldOf(fieldOf(metadata, 'annotations'), MIRROR_ANNOTATION) !== undefined;
}

/** What a pod gives its node access to. A mirror pod was made by its node and gives access to nothing. */
export function grantedReferences(pod: PodShape): readonly PodReference[] {
  return isMirrorPod(pod) ? [] : podReferences(pod);
}

/**
 * Why a node may not create this pod; undefined if it may. The rules are those of the NodeRestriction admission of
 * Kubernetes: a mirror pod, on this node and owned by it, that refers to no other object. Finalizers are refused as
 * well, since with them a node could keep others from deleting the pod.
 */
export function mirrorPodProblem(pod: PodShape, node: string): string | undefined {
  if (fieldOf(pod.spec, 'nodeName') !== node)
    return `node "${node}" can only create pods with spec.nodeName set to itself`;
  if (!isMirrorPod(pod)) {
    return `pod does not have "${MIRROR_ANNOTATION}" annotation, node "${node}" can only create mirror pods`;
  }
  const [reference] = podReferences(pod);
  if (reference !== undefined) return `node "${node}" can not create pods that reference a ${reference.kind}`;
  const finalizers: unknown = fieldOf(pod.metadata, 'finalizers');
  if (Array.isArray(finalizers) && finalizers.length > 0) return `node "${node}" can not create pods with finalizers`;
  return isOwnedByNode(pod, node)
    ? undefined
    : `node "${node}" can only create pods with a controller owner reference set to itself`;
}

function isOwnedByNode({ metadata }: PodShape, node: string): boolean {
  const owners: unknown = fieldOf(metadata, 'ownerReferences');
  if (!Array.isArray(owners) || owners.length !== 1) return false;
  const [owner]: readonly unknown[] = owners;
  return isOwnNode(owner, node) && fieldOf(owner, 'controller') === true;
}
