import { EDGE_KINDS, SYNCED_KINDS } from '@fenestra/contracts';
import { apiVersionOf } from '@fenestra/kube-api';
import type { RecordBook, SyncRecord } from '../../sync/record-book.ts';
import type { ClusterView } from '../cluster-view.ts';
import type { KnownObject } from '../known-object.ts';
import { deletionMessage } from '../object-messages.ts';
import { publish, withdraw, type NodeChannel, type Publisher } from './node-channel.ts';

/** What is true of the cluster, and what nodes have of it. */
export interface Truth {
  readonly cluster: ClusterView;
  readonly book: RecordBook;
}

/**
 * Brings a node up to date: sends the objects that it lacks, pods last, so that what they need is there before them;
 * and withdraws what is gone.
 */
export function reconcileNode(publisher: Publisher, truth: Truth, channel: NodeChannel): void {
  const { cluster, book } = truth;
  const own = cluster.node(channel.node);
  if (own !== undefined) void publish(publisher, channel, own);
  afterNeeds(publisher, cluster, channel, () => {
    for (const pod of cluster.podsOf(channel.node)) void publish(publisher, channel, pod);
  });
  for (const record of book.ofNode(channel.node)) checkRecord(publisher, cluster, channel, record);
  for (const uid of channel.gone) if (book.find(channel.node, uid) === undefined) channel.gone.delete(uid);
}

/** Sends a node what its pods need; calls `then` afterwards, immediately if nothing has to be fetched. */
export function afterNeeds(publisher: Publisher, cluster: ClusterView, channel: NodeChannel, then: () => void): void {
  const published = Array.from(cluster.neededBy(channel.node), (object) => publish(publisher, channel, object));
  const fetches = published.filter((fetch) => fetch !== undefined);
  if (fetches.length === 0) return then();
  void Promise.all(fetches).then(then);
}

/** The nodes an object concerns: its own, or those whose pods need it. Nodes that no longer need it do not get its later versions. */
export function* concernedNodes(cluster: ClusterView, known: KnownObject): Iterable<string> {
  if (known.kind === EDGE_KINDS.node) return yield known.name;
  if (known.kind === EDGE_KINDS.pod) return yield cluster.pod(known.namespace, known.name)?.nodeName ?? '';
  yield* cluster.usersOf(known);
}

/** Withdraws an object that the node has and the cluster does not. */
function checkRecord(publisher: Publisher, cluster: ClusterView, channel: NodeChannel, { object }: SyncRecord): void {
  const kind = SYNCED_KINDS.find((synced) => synced.kind === object.kind && apiVersionOf(synced) === object.apiVersion);
  if (kind === undefined || kind === EDGE_KINDS.node) return;
  const known = cluster.find(kind, object.namespace, object.name);
  if (known?.uid === object.uid) return;
  const gone = { ...object, kind };
  withdraw(publisher, channel, gone, deletionMessage(gone));
}
