import { EDGE_KINDS } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { type KubeApi, pause } from '@fenestra/kube-api';
import type { Logger } from '@fenestra/platform';
import type { NodeSessions } from '../hub/node-sessions.ts';
import { followRecords } from '../sync/record-book.ts';
import { startRecordWriter } from '../sync/record-writer.ts';
import { type ClusterEvent, followCluster } from './cluster-view.ts';
import type { Controller, ControllerContext, Running } from './controller.ts';
import { type Downstream, startDownstream } from './downstream/downstream.ts';
import { nodeMarker } from './node-marker.ts';
import { startOrphanCleaner } from './orphan-cleaner.ts';
import { startUpstream } from './upstream/upstream.ts';

/** What the controllers work with. */
export interface ControllersOptions {
  readonly api: KubeApi;
  readonly sessions: NodeSessions;
  readonly log: Logger;
  /** Under which address the other replicas reach this one: noted at the nodes it registers. */
  readonly advertiseAddress?: string;
}

/** The controllers at work: what the cloud tells nodes, and what nodes tell the cloud. */
export interface Controllers {
  /** Whether everything needed has been read from the Kubernetes API, so that nodes get what is theirs. */
  readonly ready: boolean;
  /** Figures for metrics. */
  figures(): ControllerFigures;
  /** Waits until what nodes have acknowledged is written down, or the signal aborts. */
  drain(signal: AbortSignal): Promise<void>;
  /** Resolves when everything has stopped after the signal aborted. */
  readonly stopped: Promise<void>;
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

/** How often every connected node is looked at again, in case something could not be read at the time. */
const LOOK_AGAIN_MS = 30_000;

/** Starts the controllers. They wait for the API server if it is away, and stop when the signal aborts. */
export function startControllers(options: ControllersOptions, signal: AbortSignal): Controllers {
  const { api, sessions, log, advertiseAddress } = options;
  const onTrouble = (error: unknown, retryMs: number): void => logTrouble(log, error, retryMs);
  // Events come only after this function has returned, when all of these exist.
  const listeners: ((event: ClusterEvent) => void)[] = [];
  const onEvent = (event: ClusterEvent): void => listeners.forEach((listener) => listener(event));
  const cluster = followCluster(api, { onEvent, onTrouble }, signal);
  const book = followRecords(api, onTrouble, signal);
  const writer = startRecordWriter(api, book, log, signal);
  const truth = () => (cluster.synced && book.synced ? { cluster, book } : undefined);
  const downstream = startDownstream({ api, sessions, writer, log, truth }, signal);
  const orphans = startOrphanCleaner({ api, cluster, book, writer, log }, signal);
  const tools = { api, sessions, cluster, book, downstream, advertiseAddress };
  const upstream = startUpstream(tools, log, signal);
  const started = startAll({ ...options, cluster, book, writer, signal });
  for (const { onEvent: listener } of started) if (listener !== undefined) listeners.push(listener);
  listeners.push((event) => {
    downstream.take(event);
    if (event.known.kind === EDGE_KINDS.node) orphans.check(event.known.name);
  });
  const reading = Promise.all([cluster.whenSynced(), book.whenSynced()]);
  const looking = keepLooking(reading, sessions, downstream, log, signal);
  return {
    get ready() {
      return truth() !== undefined;
    },
    figures: () => ({
      objects: cluster.size,
      records: book.size,
      pendingRecords: writer.pending,
      pendingRequests: upstream.waiting,
      refusedRequests: upstream.refused,
    }),
    drain: (during) => writer.drain(during),
    stopped: allDone([
      ...started.map(async ({ stopped }) => stopped),
      cluster.stopped,
      book.stopped,
      writer.stopped,
      looking,
    ]),
  };
}

/** Starts every controller; each gets the events of its own kinds only. */
function startAll(context: ControllerContext): readonly Running[] {
  return CONTROLLERS.map((controller) => {
    const { kinds } = controller;
    const running = controller.start(context);
    const { onEvent } = running;
    if (onEvent === undefined) return running;
    return { ...running, onEvent: (event) => void (kinds.includes(event.known.kind) && onEvent(event)) };
  });
}

async function allDone(parts: readonly Promise<unknown>[]): Promise<void> {
  await Promise.all(parts);
}

async function keepLooking(
  reading: Promise<unknown>,
  sessions: NodeSessions,
  downstream: Downstream,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await Promise.race([reading, aborted]);
  if (!signal.aborted) log.info('the cluster has been read', { nodes: sessions.nodes().length });
  while (!signal.aborted) {
    for (const node of sessions.nodes()) downstream.reconcile(node);
    await pause(LOOK_AGAIN_MS, signal);
  }
}

function logTrouble(log: Logger, error: unknown, retryMs: number): void {
  const code = error instanceof OperatorError ? error.code : 'unknown';
  const message = error instanceof Error ? error.message : 'unknown failure';
  log.warn('the Kubernetes API cannot be followed right now', { code, reason: message, retryMs });
}

/** Every controller of cloudcore, in the order in which they get events. */
const CONTROLLERS: readonly Controller[] = [nodeMarker];
