import { EDGE_KINDS } from '@fenestra/contracts';
import { KINDS, pause } from '@fenestra/kube-api';
import type { RecordBook, SyncRecord } from '../sync/record-book.ts';
import type { Controller, ControllerContext, Running } from './controller.ts';

/** What cleaning takes. */
type CleanerParts = Pick<ControllerContext, 'api' | 'cluster' | 'book' | 'writer' | 'log' | 'signal'>;

/** How long to wait before records are removed, and how often all of them are checked. */
export interface CleanerPace {
  readonly shortestWaitMs: number;
  readonly longestWaitMs: number;
  readonly checkMs: number;
}

const PACE: CleanerPace = { shortestWaitMs: 2_000, longestWaitMs: 20_000, checkMs: 60_000 };

/**
 * Removes the records of deleted nodes, and of a node that registered again those of the Node it was before: upstream's
 * cloud takes a record of another uid for the deletion of the present Node, and disconnects the node each time.
 */
export const orphanCleaner: Controller = {
  name: 'orphan-cleaner',
  kinds: [EDGE_KINDS.node, EDGE_KINDS.objectSync, EDGE_KINDS.clusterObjectSync],
  start: (context) => startOrphanCleaner(context, PACE),
};

/** Checks the records of a node when the Node changes, and now and then those of all nodes. */
export function startOrphanCleaner(parts: CleanerParts, pace: CleanerPace): Running {
  const { cluster, book, log, signal } = parts;
  const waiting = new Set<string>();
  const check = (node: string): void => {
    if (waiting.has(node) || staleRecords(book, node, cluster.node(node)?.uid).length === 0) return;
    waiting.add(node);
    void cleanLater(parts, node, pace)
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
  return { onEvent: ({ known }) => check(known.name) };
}

async function cleanLater(
  { api, book, writer, signal }: CleanerParts,
  node: string,
  { shortestWaitMs, longestWaitMs }: CleanerPace,
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
