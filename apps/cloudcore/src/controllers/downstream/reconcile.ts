import { EDGE_KINDS, SYNCED_KINDS } from '@fenestra/contracts';
import { apiVersionOf } from '@fenestra/kube-api';
import type { RecordBook } from '../../sync/record-book.ts';
import type { SyncRecord } from '../../sync/sync-record.ts';
import type { ClusterView } from '../cluster-view.ts';
import type { KnownObject } from '../known-object.ts';
import { deletionMessage } from '../object-messages.ts';
import { offer, withdraw, type NodeTalk, type Telling } from './node-talk.ts';

/** What is true of the cluster, and what nodes have of it. */
export interface Truth {
  readonly cluster: ClusterView;
  readonly book: RecordBook;
}

/**
 * Brings a node up to date: tells it all that concerns it and that it lacks, pods last, so that what they need is
 * there before them; and takes back what is gone.
 */
export function reconcileNode(telling: Telling, truth: Truth, talk: NodeTalk): void {
  const { cluster, book } = truth;
  const own = cluster.node(talk.node);
  if (own !== undefined) void offer(telling, talk, own);
  afterNeeds(telling, cluster, talk, () => {
    for (const pod of cluster.podsOf(talk.node)) void offer(telling, talk, pod);
  });
  for (const record of book.ofNode(talk.node)) checkRecord(telling, cluster, talk, record);
  for (const uid of talk.gone) if (book.find(talk.node, uid) === undefined) talk.gone.delete(uid);
}

/** Tells a node what its pods need; `then` comes when that is done, at once if nothing has to be fetched for it. */
export function afterNeeds(telling: Telling, cluster: ClusterView, talk: NodeTalk, then: () => void): void {
  const offers = Array.from(cluster.neededBy(talk.node), (object) => offer(telling, talk, object));
  const fetches = offers.filter((fetch) => fetch !== undefined);
  if (fetches.length === 0) return then();
  void Promise.all(fetches).then(then);
}

/** The nodes an object concerns: its own, or those whose pods need it. Who once had it is not told its later versions. */
export function* concernedNodes(cluster: ClusterView, known: KnownObject): Iterable<string> {
  if (known.kind === EDGE_KINDS.node) return yield known.name;
  if (known.kind === EDGE_KINDS.pod) return yield cluster.pod(known.namespace, known.name)?.nodeName ?? '';
  yield* cluster.usersOf(known);
}

/** What exists and concerns the node was offered already; here is what the node has and the cluster has not. */
function checkRecord(telling: Telling, cluster: ClusterView, talk: NodeTalk, { object }: SyncRecord): void {
  const kind = SYNCED_KINDS.find((synced) => synced.kind === object.kind && apiVersionOf(synced) === object.apiVersion);
  if (kind === undefined || kind === EDGE_KINDS.node) return;
  const known = cluster.find(kind, object.namespace, object.name);
  if (known?.uid === object.uid) return;
  const gone = { ...object, kind };
  withdraw(telling, talk, gone, deletionMessage(gone));
}
