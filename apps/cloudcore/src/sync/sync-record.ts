import {
  EDGE_KINDS,
  NEVER_ACKNOWLEDGED,
  objectSyncName,
  parseObjectSyncName,
  type SyncedKind,
} from '@fenestra/contracts';
import { apiVersionOf, stringAt, type ApiKind, type JsonObject, type KubeObject } from '@fenestra/kube-api';

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

/** How a sync record names an object of a kind. */
export function recordedObject(kind: SyncedKind, object: Omit<RecordedObject, 'apiVersion' | 'kind'>): RecordedObject {
  const { namespace, name, uid } = object;
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, namespace, name, uid };
}

/** The kind of record an object needs. */
export function recordKindOf(object: RecordedObject): ApiKind {
  return object.namespace === undefined ? EDGE_KINDS.clusterObjectSync : EDGE_KINDS.objectSync;
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
    version: stringAt(record, 'status', 'objectResourceVersion') || NEVER_ACKNOWLEDGED,
    object: {
      apiVersion: stringAt(record, 'spec', 'objectAPIVersion') || 'v1',
      kind: stringAt(record, 'spec', 'objectKind'),
      name: stringAt(record, 'spec', 'objectName'),
      namespace: record.metadata.namespace,
      uid: key.uid,
    },
  };
}
