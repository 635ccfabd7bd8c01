import { hash } from 'node:crypto';
import { EDGE_KINDS, type SyncedKind } from '@fenestra/contracts';
import type { Json } from '@fenestra/kernel';
import { isJsonObject, listAt, objectAt, valueAt, type JsonObject, type KubeObject } from '@fenestra/kube-api';

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
