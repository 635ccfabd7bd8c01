import {
  EDGE_KINDS,
  NEVER_ACKNOWLEDGED,
  objectSyncName,
  parseObjectSyncName,
  type SyncedKind,
} from '@fenestra/contracts';
import {
  type ApiKind,
  apiVersionOf,
  type InformerEvent,
  type JsonObject,
  type KubeApi,
  type KubeObject,
  stringAt,
} from '@fenestra/kube-api';

/** What every node has acknowledged, as far as the Kubernetes API has reported. */
export interface RecordBook {
  find(node: string, uid: string): SyncRecord | undefined;
  ofNode(node: string): Iterable<SyncRecord>;
  /** Nodes that have records at all. */
  nodes(): Iterable<string>;
  readonly size: number;
  readonly synced: boolean;
  whenSynced(): Promise<void>;
  readonly stopped: Promise<unknown>;
}

/** Follows the records of both kinds. */
export function followRecords(
  api: KubeApi,
  onTrouble: (error: unknown, retryMs: number) => void,
  signal: AbortSignal,
): RecordBook {
  const index = recordIndex();
  const options = { keep: readRecord, onEvent: index.take, onTrouble };
  const informers = [EDGE_KINDS.objectSync, EDGE_KINDS.clusterObjectSync].map((kind) =>
    api.informer(kind, options, signal),
  );
  return {
    find: (node, uid) => index.byNode.get(node)?.get(uid),
    ofNode: (node) => index.byNode.get(node)?.values() ?? [],
    nodes: () => index.byNode.keys(),
    get size() {
      return informers.reduce((sum, informer) => sum + informer.size, 0);
    },
    get synced() {
      return informers.every((informer) => informer.synced);
    },
    async whenSynced() {
      await Promise.all(informers.map((informer) => informer.whenSynced()));
    },
    stopped: Promise.all(informers.map((informer) => informer.stopped)),
  };
}

interface RecordIndex {
  readonly byNode: ReadonlyMap<string, ReadonlyMap<string, SyncRecord>>;
  readonly take: (event: InformerEvent<SyncRecord | undefined>) => void;
}

function recordIndex(): RecordIndex {
  const byNode = new Map<string, Map<string, SyncRecord>>();
  const put = (record: SyncRecord): void => {
    const { node, object } = record;
    byNode.set(node, (byNode.get(node) ?? new Map<string, SyncRecord>()).set(object.uid, record));
  };
  const remove = ({ node, object }: SyncRecord): void => {
    const records = byNode.get(node);
    if (records?.delete(object.uid) === true && records.size === 0) byNode.delete(node);
  };
  return {
    byNode,
    take({ type, kept }) {
      if (kept === undefined) return;
      if (type === 'deleted') remove(kept);
      else put(kept);
    },
  };
}

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
