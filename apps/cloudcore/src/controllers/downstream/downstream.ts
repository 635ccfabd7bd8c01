import {
  NEVER_ACKNOWLEDGED,
  OPERATIONS,
  parseResource,
  type Message,
  EDGE_KINDS,
  type SyncedKind,
  SYNCED_KINDS,
} from '@fenestra/contracts';
import type { KubeApi, KubeObject } from '@fenestra/kube-api';
import type { Logger } from '@fenestra/platform';
import type { NodeSessions } from '../../hub/node-sessions.ts';
import type { RecordWriter } from '../../sync/record-writer.ts';
import { recordedObject } from '../../sync/record-book.ts';
import type { ClusterEvent } from '../cluster-view.ts';
import { fingerprintOf } from '../known-object.ts';
import { deletionMessage } from '../object-messages.ts';
import { messageCache, type NodeChannel, openChannel, publish, type Publisher, withdraw } from './node-channel.ts';
import { afterNeeds, concernedNodes, reconcileNode, type Truth } from './reconcile.ts';

/** What downstream needs of the others. */
export interface DownstreamParts {
  readonly api: KubeApi;
  readonly sessions: NodeSessions;
  readonly writer: RecordWriter;
  readonly log: Logger;
  /** The cluster and the records; called only after both have been read. */
  readonly truth: () => Truth | undefined;
}

/** Sends every connected node the objects that concern it, and no others. */
export interface Downstream {
  /** Something changed in the cluster. */
  take(event: ClusterEvent): void;
  /** Sends a node the objects that it lacks. Does nothing for a node that is not connected. */
  reconcile(node: string): void;
  /** The node's agent has just started: what it acknowledged before may be lost, so everything is sent again. */
  begun(node: string): void;
  /** A response gave the node this state of an object, so it does not need to be sent. */
  answered(node: string, kind: SyncedKind, object: KubeObject): void;
}

/** Starts to publish. Stops when the signal aborts. */
export function startDownstream(parts: DownstreamParts, signal: AbortSignal): Downstream {
  const { sessions, writer } = parts;
  const channels = new Map<string, NodeChannel>();
  const publisher = publisherOf(parts, signal);
  const reconcile = (node: string): void => {
    const channel = channels.get(node);
    const truth = parts.truth();
    if (channel !== undefined && truth !== undefined) reconcileNode(publisher, truth, channel);
  };
  const stops = [
    sessions.onNodeConnected((node) => {
      channels.set(node, openChannel(node));
      reconcile(node);
    }),
    sessions.onNodeDisconnected((node) => {
      const channel = channels.get(node);
      if (channel !== undefined) channel.connected = false;
      channels.delete(node);
    }),
    sessions.onAcknowledged((node, uid, version, message) => note(writer, { node, uid, version, message })),
  ];
  for (const node of sessions.nodes()) channels.set(node, openChannel(node));
  signal.addEventListener('abort', () => stops.forEach((stop) => stop()), { once: true });
  return {
    take: (event) => takeEvent(publisher, parts, channels, event),
    reconcile,
    begun(node) {
      const before = channels.get(node);
      if (before === undefined) return;
      before.connected = false;
      channels.set(node, { ...openChannel(node), trustsRecords: false });
      reconcile(node);
    },
    answered: (node, kind, object) => noteAnswer(publisher, writer, channels.get(node), { kind, object }),
  };
}

function publisherOf({ api, sessions, writer, log, truth }: DownstreamParts, signal: AbortSignal): Publisher {
  const recordedVersion: Publisher['recordedVersion'] = (node, uid) =>
    writer.pendingVersion(node, uid) ?? truth()?.book.find(node, uid)?.version;
  return {
    sessions,
    log,
    signal,
    cache: messageCache(api),
    recordedVersion,
    recordBegun(node, known) {
      if (recordedVersion(node, known.uid) === NEVER_ACKNOWLEDGED) return;
      writer.acknowledged(node, recordedObject(known.kind, known), NEVER_ACKNOWLEDGED);
    },
  };
}

function takeEvent(
  publisher: Publisher,
  { sessions, truth: readTruth }: DownstreamParts,
  channels: ReadonlyMap<string, NodeChannel>,
  event: ClusterEvent,
): void {
  const truth = readTruth();
  if (truth === undefined) return;
  const { known } = event;
  if (event.type === 'gone') {
    if (known.kind === EDGE_KINDS.node) return sessions.disconnect(known.name, 'its Node object was deleted');
    const message = deletionMessage(known, event.object);
    for (const channel of channels.values()) withdraw(publisher, channel, known, message);
    return;
  }
  for (const node of concernedNodes(truth.cluster, known)) {
    const channel = channels.get(node);
    if (channel === undefined) continue;
    const send = (): void => void publish(publisher, channel, known, event.object);
    if (known.kind === EDGE_KINDS.pod) afterNeeds(publisher, truth.cluster, channel, send);
    else send();
  }
}

interface Acknowledged {
  readonly node: string;
  readonly uid: string;
  readonly version: string;
  readonly message: Message;
}

function note(writer: RecordWriter, { node, uid, version, message }: Acknowledged): void {
  const resource = parseResource(message.route.resource);
  if (resource.form !== 'object' || resource.name === undefined) return;
  const kind = SYNCED_KINDS.find(({ type }) => type === resource.type);
  if (kind === undefined) return;
  const namespace = resource.namespace ?? undefined;
  const object = recordedObject(kind, { namespace, name: resource.name, uid });
  if (message.route.operation === OPERATIONS.delete) writer.forgotten(node, object);
  else writer.acknowledged(node, object, version);
}

interface Answered {
  readonly kind: SyncedKind;
  readonly object: KubeObject;
}

function noteAnswer(
  publisher: Publisher,
  writer: RecordWriter,
  channel: NodeChannel | undefined,
  { kind, object }: Answered,
): void {
  const { uid, resourceVersion: version, name, namespace } = object.metadata;
  if (channel === undefined || uid === undefined || version === undefined) return;
  channel.sent.set(uid, { version, fingerprint: fingerprintOf(kind, object) });
  // From now on the node follows the object. Should the answer be lost, the node asks again.
  if (!SENT_ON_REQUEST.has(kind) || publisher.recordedVersion(channel.node, uid) !== undefined) return;
  writer.acknowledged(channel.node, recordedObject(kind, { namespace, name, uid }), version);
}

const SENT_ON_REQUEST: ReadonlySet<SyncedKind> = new Set([EDGE_KINDS.configMap, EDGE_KINDS.secret]);
