import { hash } from 'node:crypto';
import type { Json } from '@fenestra/kernel';
import { isJsonObject, listAt, objectAt, valueAt, type JsonObject, type KubeObject } from '@fenestra/kube-api';

/** Tells pods apart by what a node acts on: a change of status alone, which mostly came from the node, is no difference. */
export function podFingerprint(pod: KubeObject): string {
  return digest([lastingMetadata(pod), valueAt(pod, 'spec') ?? null]);
}

/** Tells nodes apart by all but the times of their heartbeats, which change every few minutes by themselves. */
export function nodeFingerprint(node: KubeObject): string {
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
