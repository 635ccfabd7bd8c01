import { KINDS, pause, type KubeApi } from '@fenestra/kube-api';
import type { Logger } from '@fenestra/platform';
import type { RecordBook, SyncRecord } from '../sync/record-book.ts';
import type { RecordWriter } from '../sync/record-writer.ts';
import type { ClusterView } from './cluster-view.ts';

/** What cleaning takes. */
export interface CleanerParts {
  readonly api: KubeApi;
  readonly cluster: ClusterView;
  readonly book: RecordBook;
  readonly writer: RecordWriter;
  readonly log: Logger;
}

/** How long to wait before records are removed, and how often all of them are checked. */
export interface CleanerPace {
  readonly shortestWaitMs: number;
  readonly longestWaitMs: number;
  readonly checkMs: number;
}

/** Removes the records of nodes that no longer exist. */
export interface OrphanCleaner {
  /** Checks the records of one node; all are checked now and then in any case. */
  check(node: string): void;
}

const PACE: CleanerPace = { shortestWaitMs: 2_000, longestWaitMs: 20_000, checkMs: 60_000 };

/**
 * Removes the records of deleted nodes, and of a node that registered again those of the Node it was before: upstream's
 * cloud takes a record of another uid for the deletion of the present Node, and disconnects the node each time.
 */
export function startOrphanCleaner(parts: CleanerParts, signal: AbortSignal, pace: CleanerPace = PACE): OrphanCleaner {
  const { cluster, book, log } = parts;
  const waiting = new Set<string>();
  const check = (node: string): void => {
    if (waiting.has(node) || staleRecords(book, node, cluster.node(node)?.uid).length === 0) return;
    waiting.add(node);
    void cleanLater(parts, node, pace, signal)
      .catch(() => signal.aborted || log.warn('The records of a deleted node are kept for now', { node }))
      .finally(() => waiting.delete(node));
  };
  const keepChecking = async (): Promise<void> => {
    await Promise.all([cluster.whenSynced(), book.whenSynced()]);
    while (!signal.aborted) {
      for (const node of book.nodes()) check(node);
      await pause(pace.checkMs, signal);
    }
  };
  void keepChecking();
  return { check };
}

async function cleanLater(
  { api, book, writer }: CleanerParts,
  node: string,
  { shortestWaitMs, longestWaitMs }: CleanerPace,
  signal: AbortSignal,
): Promise<void> {
  // All replicas notice it at the same time: after a random wait one of them does most of the work.
  await pause(shortestWaitMs + Math.random() * (longestWaitMs - shortestWaitMs), signal);
  if (signal.aborted) return;
  // The API server is asked, since what was followed may be older than the records.
  const present = await api.find(KINDS.node, { name: node }, signal);
  for (const { object } of staleRecords(book, node, present?.metadata.uid)) writer.forgotten(node, object);
}

/** Records of a node that is gone, or of a Node of the same name with another uid than the present one. */
function staleRecords(book: RecordBook, node: string, presentUid: string | undefined): readonly SyncRecord[] {
  const records = Array.from(book.ofNode(node));
  if (presentUid === undefined) return records;
  return records.filter(({ object }) => object.kind === KINDS.node.kind && object.uid !== presentUid);
}
