import { grantedReferences, isMirrorPod, referencedNames, EDGE_KINDS, type SyncedKind } from '@fenestra/contracts';
import { stringAt, type KubeObject } from '@fenestra/kube-api';
import { fingerprintOf } from './fingerprint.ts';

/** What is remembered of an object, so that a cluster's worth of them fits in memory. */
export interface KnownObject {
  readonly kind: SyncedKind;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly uid: string;
  readonly version: string;
  /** Equal for versions that are the same to a node; absent where every version matters. */
  readonly fingerprint?: string;
}

/** The names of what a pod gives its node access to, in the namespace of the pod. */
export interface PodNeeds {
  readonly configMaps: readonly string[];
  readonly secrets: readonly string[];
  readonly claims: readonly string[];
}

/** What is remembered of a pod. */
export interface KnownPod extends KnownObject {
  /** Empty until the pod has a node. */
  readonly nodeName: string;
  /** Empty if the pod has no tokens to ask for. */
  readonly serviceAccount: string;
  readonly references: PodNeeds;
}

/** What is remembered of a pod. */
export function knownPod(pod: KubeObject): KnownPod {
  return {
    ...knownObject(EDGE_KINDS.pod, pod),
    nodeName: stringAt(pod, 'spec', 'nodeName'),
    serviceAccount: isMirrorPod(pod) ? '' : stringAt(pod, 'spec', 'serviceAccountName') || 'default',
    references: needsOf(pod),
  };
}

function needsOf(pod: KubeObject): PodNeeds {
  const references = grantedReferences(pod);
  return {
    configMaps: referencedNames(references, 'ConfigMap'),
    secrets: referencedNames(references, 'Secret'),
    claims: referencedNames(references, 'PersistentVolumeClaim'),
  };
}

/** What is remembered of an object. */
export function knownObject(kind: SyncedKind, object: KubeObject): KnownObject {
  const { metadata } = object;
  const fingerprint = fingerprintOf(kind, object);
  return {
    kind,
    namespace: metadata.namespace,
    name: metadata.name,
    uid: metadata.uid ?? '',
    version: metadata.resourceVersion ?? '',
    ...(fingerprint === undefined ? {} : { fingerprint }),
  };
}
