import { isNewerVersion, type Message, NEVER_ACKNOWLEDGED, OPERATIONS, type SyncedKind } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import type { KubeApi, KubeObject } from '@fenestra/kube-api';
import type { Logger } from '@fenestra/platform';
import type { NodeSessions } from '../../hub/node-sessions.ts';
import type { KnownObject } from '../known-object.ts';
import { limiter } from '../limiter.ts';
import { type NamedObject, objectMessage } from '../object-messages.ts';

/** What was sent to a node since it connected. */
export interface NodeChannel {
  readonly node: string;
  readonly sent: Map<string, SentState>;
  /** Objects whose deletion was sent to the node. */
  readonly gone: Set<string>;
  /** Whether what the node acknowledged in earlier sessions counts. */
  trustsRecords: boolean;
  /** False once the node has gone. */
  connected: boolean;
}

/** What publishing needs. */
export interface Publisher {
  readonly sessions: NodeSessions;
  readonly cache: MessageCache;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** The version of an object that the node acknowledged last, in whatever session. */
  recordedVersion(node: string, uid: string): string | undefined;
  /** Records that an object is about to be sent, so that its deletion is sent even if no acknowledgement arrives. */
  recordBegun(node: string, known: KnownObject): void;
}

/** Starts the record of what is sent to a node. */
export function openChannel(node: string): NodeChannel {
  return { node, sent: new Map(), gone: new Set(), trustsRecords: true, connected: true };
}

/**
 * Sends an object to a node, unless the node has it. An object that is not in memory is fetched: then the promise
 * settles when it has been sent, or cannot be sent for now. It never rejects.
 */
export function publish(
  publisher: Publisher,
  channel: NodeChannel,
  known: KnownObject,
  object?: KubeObject,
): Promise<void> | undefined {
  if (!channel.connected) return undefined;
  const recorded = channel.trustsRecords ? publisher.recordedVersion(channel.node, known.uid) : undefined;
  const decision = decide(known, channel.sent.get(known.uid), recorded);
  if (decision === 'skip') return undefined;
  const sent = { version: known.version, fingerprint: known.fingerprint };
  channel.sent.set(known.uid, sent);
  if (decision === 'note') return undefined;
  if (decision === 'first') publisher.recordBegun(channel.node, known);
  const operation = decision === 'first' ? known.kind.sync.firstOperation : OPERATIONS.update;
  if (object === undefined) return fetchAndDeliver(publisher, channel, { known, sent, operation });
  deliver(publisher, channel, known.uid, publisher.cache.make(known.kind, operation, object));
  return undefined;
}

/** Sends the deletion of an object, if the node was sent the object. */
export function withdraw(publisher: Publisher, channel: NodeChannel, gone: NamedObject, message: Message): void {
  const wasSent = channel.sent.delete(gone.uid) || publisher.recordedVersion(channel.node, gone.uid) !== undefined;
  if (!wasSent || channel.gone.has(gone.uid)) return;
  channel.gone.add(gone.uid);
  deliver(publisher, channel, gone.uid, message);
}

interface Fetch {
  readonly known: KnownObject;
  readonly sent: SentState;
  readonly operation: string;
}

async function fetchAndDeliver(
  publisher: Publisher,
  channel: NodeChannel,
  { known, sent, operation }: Fetch,
): Promise<void> {
  try {
    const message = await publisher.cache.fetch(known, operation, publisher.signal);
    // Only if nothing newer was sent and the node is still connected.
    if (message === undefined || !channel.connected || channel.sent.get(known.uid) !== sent) return;
    channel.sent.set(known.uid, { ...sent, version: message.header.resourceVersion ?? sent.version });
    deliver(publisher, channel, known.uid, message);
  } catch (error) {
    // Removed, so that the next reconciliation retries.
    if (channel.sent.get(known.uid) === sent) channel.sent.delete(known.uid);
    if (publisher.signal.aborted) return;
    const code = error instanceof OperatorError ? error.code : 'unknown';
    publisher.log.warn('Cannot read an object for a node', { node: channel.node, uid: known.uid, code });
  }
}

function deliver({ sessions }: Publisher, channel: NodeChannel, key: string, message: Message): void {
  sessions.deliver(channel.node, { key, resourceVersion: message.header.resourceVersion ?? '0', message });
}

/** The state of an object that was sent to a node last. */
interface SentState {
  readonly version: string;
  readonly fingerprint: string | undefined;
}

/** The state of an object that can be sent. */
interface PublishableState {
  readonly version: string;
  readonly fingerprint?: string;
}

/**
 * Whether to send an object: `skip` if this or a later version was sent, `note` if the node has the content already,
 * `first` if the node does not have the object, `update` if it has an older version.
 */
type Decision = 'skip' | 'note' | 'first' | 'update';

/** Decides from what was sent in this session, or else from what the node acknowledged in earlier sessions. */
export function decide(object: PublishableState, sent: SentState | undefined, recorded: string | undefined): Decision {
  if (sent !== undefined) {
    if (!isNewerVersion(object.version, sent.version)) return 'skip';
    return object.fingerprint !== undefined && object.fingerprint === sent.fingerprint ? 'note' : 'update';
  }
  if (recorded === undefined || recorded === NEVER_ACKNOWLEDGED) return 'first';
  return isNewerVersion(object.version, recorded) ? 'update' : 'note';
}

/** Makes messages about objects. One message serves all nodes, so that it is encoded once. */
interface MessageCache {
  /** For an object in memory. */
  make(kind: SyncedKind, operation: string, object: KubeObject): Message;
  /** For an object that has to be fetched; undefined if it was deleted in the meantime. */
  fetch(known: KnownObject, operation: string, signal: AbortSignal): Promise<Message | undefined>;
}

const CACHE_SIZE = 128;
const FETCHES = 16;

/** Caches the latest messages, and requests each object once from the API server for any number of nodes. */
export function messageCache(api: KubeApi): MessageCache {
  const cache = new Map<string, Message>();
  const fetching = new Map<string, Promise<KubeObject | undefined>>();
  const limit = limiter(FETCHES);
  const make: MessageCache['make'] = (kind, wanted, object) => {
    const operation = object.metadata.deletionTimestamp === undefined ? wanted : OPERATIONS.update;
    const key = keyOf(object.metadata.uid ?? '', operation, object.metadata.resourceVersion ?? '');
    const message = cache.get(key) ?? objectMessage(kind, operation, object);
    cache.delete(key);
    cache.set(key, message);
    if (cache.size > CACHE_SIZE) cache.delete(cache.keys().next().value ?? '');
    return message;
  };
  const load = (known: KnownObject, signal: AbortSignal): Promise<KubeObject | undefined> => {
    const running = fetching.get(known.uid);
    if (running !== undefined) return running;
    const request = limit(() => api.find(known.kind, known, signal)).finally(() => fetching.delete(known.uid));
    fetching.set(known.uid, request);
    return request;
  };
  return {
    make,
    async fetch(known, operation, signal) {
      const ready = cache.get(keyOf(known.uid, operation, known.version));
      if (ready !== undefined) return ready;
      const object = await load(known, signal);
      return object?.metadata.uid === known.uid ? make(known.kind, operation, object) : undefined;
    },
  };
}

function keyOf(uid: string, operation: string, version: string): string {
  return `${uid}/${operation}/${version}`;
}
