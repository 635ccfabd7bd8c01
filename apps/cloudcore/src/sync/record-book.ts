import type { InformerEvent, KubeApi } from '@fenestra/kube-api';
import { EDGE_KINDS } from '@fenestra/contracts';
import { readRecord, type SyncRecord } from './sync-record.ts';

/** What every node has acknowledged, as far as the Kubernetes API has told. */
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
