import type { EdgeKind } from '@fenestra/contracts';
import type { KubeApi } from '@fenestra/kube-api';
import type { Logger } from '@fenestra/platform';
import type { NodeSessions } from '../hub/node-sessions.ts';
import type { RecordBook } from '../sync/record-book.ts';
import type { RecordWriter } from '../sync/record-writer.ts';
import type { ClusterEvent, ClusterView } from './cluster-view.ts';

/** What every controller works with. */
export interface ControllerContext {
  readonly api: KubeApi;
  readonly sessions: NodeSessions;
  readonly log: Logger;
  /** The address at which the other replicas reach this one; absent if none is configured. */
  readonly advertiseAddress?: string;
  readonly cluster: ClusterView;
  readonly book: RecordBook;
  readonly writer: RecordWriter;
  /** A controller stops when it aborts. */
  readonly signal: AbortSignal;
}

/** One responsibility of cloudcore: a folder beside this file. */
export interface Controller {
  readonly name: string;
  /** The kinds it reads or writes. Of those that are synchronised, it gets the events. */
  readonly kinds: readonly EdgeKind[];
  start(context: ControllerContext): Running;
}

/** A controller that has been started. */
export interface Running {
  /** An object of one of its kinds was created, changed or deleted. */
  readonly onEvent?: (event: ClusterEvent) => void;
  /** Its part of the figures for metrics. */
  readonly figures?: () => Partial<ControllerFigures>;
  /** Resolves when it has stopped after the signal aborted; absent if it stops at once. */
  readonly stopped?: Promise<unknown>;
}

/** How much is under way. */
export interface ControllerFigures {
  /** Objects followed at the API server. */
  readonly objects: number;
  /** Records of what nodes have, at the API server. */
  readonly records: number;
  /** Records that are still to be written. */
  readonly pendingRecords: number;
  /** Messages from nodes that wait for the API server. */
  readonly pendingRequests: number;
  /** Messages from nodes refused because too many waited. */
  readonly refusedRequests: number;
}
