import { OperatorError } from '@fenestra/kernel';
import type { KubeApi } from '@fenestra/kube-api';
import type { Logger } from '@fenestra/platform';
import type { NodeSessions } from '../hub/node-sessions.ts';
import { followRecords } from '../sync/record-book.ts';
import { startRecordWriter } from '../sync/record-writer.ts';
import { type ClusterEvent, followCluster } from './cluster-view.ts';
import type { Controller, ControllerContext, ControllerFigures, Running } from './controller.ts';
import { nodeMarker } from './node-marker.ts';
import { nodeObjects } from './node-objects.ts';
import { orphanCleaner } from './orphan-cleaner.ts';

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

/** Starts the controllers. They wait for the API server if it is away, and stop when the signal aborts. */
export function startControllers(options: ControllersOptions, signal: AbortSignal): Controllers {
  const { api, log } = options;
  const onTrouble = (error: unknown, retryMs: number): void => logTrouble(log, error, retryMs);
  // Events come only after this function has returned, when all of these exist.
  const started: Running[] = [];
  const onEvent = (event: ClusterEvent): void => started.forEach((running) => running.onEvent?.(event));
  const cluster = followCluster(api, { onEvent, onTrouble }, signal);
  const book = followRecords(api, onTrouble, signal);
  const writer = startRecordWriter(api, book, log, signal);
  started.push(...startAll({ ...options, cluster, book, writer, signal }));
  return {
    get ready() {
      return cluster.synced && book.synced;
    },
    figures() {
      const own = { objects: cluster.size, records: book.size, pendingRecords: writer.pending };
      const sum: ControllerFigures = { ...own, pendingRequests: 0, refusedRequests: 0 };
      return started.reduce((figures, running) => ({ ...figures, ...running.figures?.() }), sum);
    },
    drain: (during) => writer.drain(during),
    stopped: allDone([...started.map(async ({ stopped }) => stopped), cluster.stopped, book.stopped, writer.stopped]),
  };
}

/** Starts every controller; each gets the events of its kinds only. */
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

function logTrouble(log: Logger, error: unknown, retryMs: number): void {
  const code = error instanceof OperatorError ? error.code : 'unknown';
  const message = error instanceof Error ? error.message : 'unknown failure';
  log.warn('the Kubernetes API cannot be followed right now', { code, reason: message, retryMs });
}

/** Every controller of cloudcore, in the order in which they get events. */
const CONTROLLERS: readonly Controller[] = [nodeObjects, orphanCleaner, nodeMarker];
