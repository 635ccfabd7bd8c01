import { stringAt, valueAt, type JsonObject, type KubeObject } from '@fenestra/kube-api';
import { DELIVERED, type DeliveredKind } from './delivered-kinds.ts';
import { nodeFingerprint, podFingerprint } from './fingerprint.ts';
import { NO_REFERENCES, podReferences, type PodReferences } from './pod-references.ts';

/** What is remembered of an object, so that a cluster's worth of them fits in memory. */
export interface KnownObject {
  readonly kind: DeliveredKind;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly uid: string;
  readonly version: string;
  /** Equal for versions that are the same to a node; absent where every version matters. */
  readonly fingerprint?: string;
}

/** What is remembered of a pod. */
export interface KnownPod extends KnownObject {
  /** Empty until the pod has a node. */
  readonly nodeName: string;
  /** Empty if the pod has no tokens to ask for. */
  readonly serviceAccount: string;
  readonly references: PodReferences;
}

/** Remembers a pod. */
export function knownPod(pod: KubeObject): KnownPod {
  // A mirror pod came from its node, so nothing in it gives the node a right to anything.
  const mirror = isMirrorPod(pod);
  return {
    ...knownObject(DELIVERED.pod, pod),
    fingerprint: podFingerprint(pod),
    nodeName: stringAt(pod, 'spec', 'nodeName'),
    serviceAccount: mirror ? '' : stringAt(pod, 'spec', 'serviceAccountName') || 'default',
    references: mirror ? NO_REFERENCES : podReferences(pod),
  };
}

/** Whether a pod only shows what its node runs from a file. */
export function isMirrorPod(pod: JsonObject): boolean {
  return valueAt(pod, 'metadata', 'annotations', 'kubernetes.io/config.mirror') !== undefined;
}

/** Remembers a node. */
export function knownNode(node: KubeObject): KnownObject {
  return { ...knownObject(DELIVERED.node, node), fingerprint: nodeFingerprint(node) };
}

/** Remembers an object of another kind. */
export function knownObject(kind: DeliveredKind, { metadata }: KubeObject): KnownObject {
  return {
    kind,
    namespace: metadata.namespace,
    name: metadata.name,
    uid: metadata.uid ?? '',
    version: metadata.resourceVersion ?? '',
  };
}
