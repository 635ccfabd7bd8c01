import { KINDS, pause, type KubeApi } from '@fenestra/kube-api';
import type { Logger } from '@fenestra/platform';
import type { RecordBook } from '../sync/record-book.ts';
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

/** Removes what is recorded of nodes that no longer exist. */
export interface OrphanCleaner {
  nodeDeleted(node: string): void;
}

const SHORTEST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 20_000;

/** Looks at all records once everything has been read, then at those of every node that is deleted. */
export function startOrphanCleaner(parts: CleanerParts, signal: AbortSignal): OrphanCleaner {
  const { cluster, book } = parts;
  const clean = (node: string): void => void cleanNode(parts, node, signal);
  const cleanAll = async (): Promise<void> => {
    await Promise.all([cluster.whenSynced(), book.whenSynced()]);
    for (const node of book.nodes()) if (cluster.node(node) === undefined) clean(node);
  };
  void cleanAll();
  return { nodeDeleted: clean };
}

async function cleanNode(
  { api, cluster, book, writer, log }: CleanerParts,
  node: string,
  signal: AbortSignal,
): Promise<void> {
  // Every replica hears of it: a random wait lets one do most of the work, and a node that comes right back keep its own.
  await pause(SHORTEST_WAIT_MS + Math.random() * (LONGEST_WAIT_MS - SHORTEST_WAIT_MS), signal);
  if (signal.aborted || cluster.node(node) !== undefined) return;
  try {
    if ((await api.find(KINDS.node, { name: node }, signal)) !== undefined) return;
    for (const record of book.ofNode(node)) writer.forgotten(node, record.object);
  } catch {
    if (!signal.aborted) log.warn('the records of a deleted node are kept for now', { node });
  }
}
