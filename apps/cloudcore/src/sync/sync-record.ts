import { OBJECT_SYNC, objectSyncName, parseObjectSyncName } from '@fenestra/contracts';
import { stringAt, type ApiKind, type JsonObject, type KubeObject } from '@fenestra/kube-api';

/** The object a record is about. Cluster-wide objects have no namespace. */
export interface RecordedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly uid: string;
}

/** What a node has acknowledged, as the Kubernetes API remembers it. A version of "0" means: nothing yet. */
export interface SyncRecord {
  readonly node: string;
  readonly object: RecordedObject;
  readonly version: string;
}

const { group, version, namespaced, cluster } = OBJECT_SYNC;

/** Records of objects in namespaces; each lives in the namespace of its object. */
export const OBJECT_SYNCS: ApiKind = { group, version, ...namespaced, namespaced: true };

/** Records of cluster-wide objects. */
export const CLUSTER_OBJECT_SYNCS: ApiKind = { group, version, ...cluster, namespaced: false };

/** The kind of record an object needs. */
export function recordKindOf(object: RecordedObject): ApiKind {
  return object.namespace === undefined ? CLUSTER_OBJECT_SYNCS : OBJECT_SYNCS;
}

/** The record's own name and place. */
export function recordNameOf(node: string, { uid, namespace }: RecordedObject): { name: string; namespace?: string } {
  const name = objectSyncName({ node, uid });
  return namespace === undefined ? { name } : { name, namespace };
}

/** A new record; its status is written separately, because the API server ignores it here. */
export function draftRecord(node: string, object: RecordedObject): JsonObject {
  return {
    metadata: recordNameOf(node, object),
    spec: { objectAPIVersion: object.apiVersion, objectKind: object.kind, objectName: object.name },
  };
}

/** The change to a record's status that notes an acknowledged version. */
export function statusOfRecord(acknowledged: string): JsonObject {
  return { status: { objectResourceVersion: acknowledged } };
}

/** Reads a record; undefined if its name is not one. Without a status it counts as "nothing yet": it must not be a dead end. */
export function readRecord(record: KubeObject): SyncRecord | undefined {
  const key = parseObjectSyncName(record.metadata.name);
  if (key === undefined) return undefined;
  return {
    node: key.node,
    version: stringAt(record, 'status', 'objectResourceVersion') || OBJECT_SYNC.never,
    object: {
      apiVersion: stringAt(record, 'spec', 'objectAPIVersion') || 'v1',
      kind: stringAt(record, 'spec', 'objectKind'),
      name: stringAt(record, 'spec', 'objectName'),
      namespace: record.metadata.namespace,
      uid: key.uid,
    },
  };
}
