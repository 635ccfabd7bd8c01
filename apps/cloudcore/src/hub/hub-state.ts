import type { Message } from '@fenestra/contracts';
import type { Logger } from '@fenestra/platform';
import { listeners, type Listeners } from './listeners.ts';
import type { Outflow } from './flow.ts';
import { messageEncoder, type Session } from './session.ts';
import type { WindowOptions } from './window-state.ts';

/** What a hub is made with. `now` counts milliseconds and never goes back. */
export interface HubOptions {
  readonly limits: HubLimits;
  readonly window: WindowOptions;
  readonly log: Logger;
  readonly now: () => number;
}

/** Everything the hub's parts share. */
export interface HubState extends HubOptions, Outflow {
  readonly sessions: Map<string, Session>;
  /** Sessions with deliveries on their way: the timer manages them. */
  readonly busy: Set<Session>;
  /** Sessions that are not read from for a while. */
  readonly paused: Set<Session>;
  /** Bytes of all messages that the controllers work on. */
  unfinishedBytes: number;
  readonly connected: Listeners<[node: string]>;
  readonly disconnected: Listeners<[node: string]>;
  readonly messages: Listeners<[node: string, message: Message]>;
  readonly acknowledged: Listeners<[node: string, key: string, resourceVersion: string, message: Message]>;
}

/** The state of a hub without connections. */
export function newHubState(options: HubOptions): HubState {
  const { log } = options;
  return {
    ...options,
    encode: messageEncoder(),
    counts: newHubCounts(),
    sessions: new Map(),
    busy: new Set(),
    paused: new Set(),
    unfinishedBytes: 0,
    connected: listeners('connected', log),
    disconnected: listeners('disconnected', log),
    messages: listeners('message', log),
    acknowledged: listeners('acknowledged', log),
  };
}

/** What the hub has done since it began; the metrics are read from here. */
export interface HubCounts {
  connections: number;
  replacements: number;
  /** Connections that were refused before they became a session. */
  refusals: number;
  /** Sessions that the hub ended: silent, too slow, or sending what cannot be read. */
  evictions: number;
  received: number;
  /** Messages from nodes that were dropped because they claim to come from the cloud. */
  forged: number;
  /** Messages from nodes that were dropped because they are too large for their kind. */
  oversized: number;
  sent: number;
  acknowledged: number;
  /** Objects a node said it could not take. */
  rejected: number;
  /** Messages that were not sent: too large, or the node reads too slowly. */
  dropped: number;
  /** How often a node was not read from for a while because it sent too much. */
  throttled: number;
}

/** Everything at zero. */
function newHubCounts(): HubCounts {
  return {
    connections: 0,
    replacements: 0,
    refusals: 0,
    evictions: 0,
    received: 0,
    forged: 0,
    oversized: 0,
    sent: 0,
    acknowledged: 0,
    rejected: 0,
    dropped: 0,
    throttled: 0,
  };
}

const MEBIBYTE = 1024 * 1024;

/** What one node may cost. */
export interface HubLimits {
  /** A session without a word from the node for this long is over. */
  silenceMs: number;
  /** Bytes that wait for a node to read them: above this nothing is added from its deliveries. */
  readonly bufferedBytes: number;
  /** Above this even what is sent only once is dropped. */
  readonly dropBytes: number;
  /** A node that has not read its bytes for this long is disconnected. */
  readonly slowMs: number;
  /** Messages for the controllers: upstream's agent sends 30 a second, 60 at once. */
  readonly messagesPerSecond: number;
  readonly messageBurst: number;
  /** Bytes that a node may send in the long run, and at once. */
  readonly bytesPerSecond: number;
  readonly byteBurst: number;
  /** Messages of one node that the controllers have not dealt with yet. */
  readonly unfinished: number;
  /** The bytes of these messages, of one node and of all nodes together. */
  readonly unfinishedBytes: number;
  readonly allUnfinishedBytes: number;
}

/** Room enough for a healthy node, upstream's included. */
export function defaultLimits(): HubLimits {
  return {
    silenceMs: 30_000,
    bufferedBytes: MEBIBYTE,
    dropBytes: 8 * MEBIBYTE,
    slowMs: 120_000,
    messagesPerSecond: 100,
    messageBurst: 500,
    bytesPerSecond: 2 * MEBIBYTE,
    byteBurst: 16 * MEBIBYTE,
    unfinished: 256,
    unfinishedBytes: 8 * MEBIBYTE,
    allUnfinishedBytes: 64 * MEBIBYTE,
  };
}
