import { hash } from 'node:crypto';
import { EDGE_KINDS, grantedReferences, isMirrorPod, referencedNames, type SyncedKind } from '@fenestra/contracts';
import type { Json } from '@fenestra/kernel';
import {
  isJsonObject,
  type JsonObject,
  type KubeObject,
  listAt,
  objectAt,
  stringAt,
  valueAt,
} from '@fenestra/kube-api';

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
interface PodNeeds {
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

/** Equal for versions of an object that are the same to a node; undefined if every version matters. */
export function fingerprintOf(kind: SyncedKind, object: KubeObject): string | undefined {
  if (kind === EDGE_KINDS.pod) return podFingerprint(object);
  return kind === EDGE_KINDS.node ? nodeFingerprint(object) : undefined;
}

/** Ignores the status of a pod, which comes from the node. */
function podFingerprint(pod: KubeObject): string {
  return digest([lastingMetadata(pod), valueAt(pod, 'spec') ?? null]);
}

/** Ignores the heartbeat times of a node, which change every few minutes. */
function nodeFingerprint(node: KubeObject): string {
  const { conditions: _conditions, ...status } = objectAt(node, 'status');
  const conditions = listAt(node, 'status', 'conditions').map((condition) => without(condition, 'lastHeartbeatTime'));
  return digest([lastingMetadata(node), valueAt(node, 'spec') ?? null, status, conditions]);
}

function lastingMetadata({ metadata }: KubeObject): JsonObject {
  const { resourceVersion: _version, generation: _generation, managedFields: _fields, ...lasting } = metadata;
  return lasting;
}

function without(value: Json, field: string): Json {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== field));
}

function digest(value: Json): string {
  return hash('sha1', JSON.stringify(value), 'base64');
}
