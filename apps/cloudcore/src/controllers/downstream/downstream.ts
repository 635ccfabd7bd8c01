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
import { recordedObject } from '../../sync/sync-record.ts';
import type { ClusterEvent } from '../cluster-view.ts';
import { fingerprintOf } from '../fingerprint.ts';
import { deletionMessage } from '../object-messages.ts';
import { messageShelf } from './message-shelf.ts';
import { newTalk, offer, withdraw, type NodeTalk, type Telling } from './node-talk.ts';
import { afterNeeds, concernedNodes, reconcileNode, type Truth } from './reconcile.ts';

/** What downstream needs of the others. */
export interface DownstreamParts {
  readonly api: KubeApi;
  readonly sessions: NodeSessions;
  readonly writer: RecordWriter;
  readonly log: Logger;
  /** The cluster and the records; not asked before both have been read. */
  readonly truth: () => Truth | undefined;
}

/** Tells every connected node what concerns it, and no node anything else. */
export interface Downstream {
  /** Something changed in the cluster. */
  take(event: ClusterEvent): void;
  /** Looks at all that concerns a node and tells what it lacks. Does nothing for a node that is not connected. */
  reconcile(node: string): void;
  /** The node's agent has just started: what it acknowledged before may be lost, so it is told everything. */
  begun(node: string): void;
  /** The node was answered with this state of an object, so it need not be told. */
  answered(node: string, kind: SyncedKind, object: KubeObject): void;
}

/** Starts telling. Stops when the signal aborts. */
export function startDownstream(parts: DownstreamParts, signal: AbortSignal): Downstream {
  const { sessions, writer } = parts;
  const talks = new Map<string, NodeTalk>();
  const telling = tellingOf(parts, signal);
  const reconcile = (node: string): void => {
    const talk = talks.get(node);
    const truth = parts.truth();
    if (talk !== undefined && truth !== undefined) reconcileNode(telling, truth, talk);
  };
  const stops = [
    sessions.onNodeConnected((node) => {
      talks.set(node, newTalk(node));
      reconcile(node);
    }),
    sessions.onNodeDisconnected((node) => {
      const talk = talks.get(node);
      if (talk !== undefined) talk.connected = false;
      talks.delete(node);
    }),
    sessions.onAcknowledged((node, uid, version, message) => note(writer, { node, uid, version, message })),
  ];
  for (const node of sessions.nodes()) talks.set(node, newTalk(node));
  signal.addEventListener('abort', () => stops.forEach((stop) => stop()), { once: true });
  return {
    take: (event) => takeEvent(telling, parts, talks, event),
    reconcile,
    begun(node) {
      const before = talks.get(node);
      if (before === undefined) return;
      before.connected = false;
      talks.set(node, { ...newTalk(node), trustsRecords: false });
      reconcile(node);
    },
    answered: (node, kind, object) => noteAnswer(telling, writer, talks.get(node), { kind, object }),
  };
}

function tellingOf({ api, sessions, writer, log, truth }: DownstreamParts, signal: AbortSignal): Telling {
  const recordedVersion: Telling['recordedVersion'] = (node, uid) =>
    writer.pendingVersion(node, uid) ?? truth()?.book.find(node, uid)?.version;
  return {
    sessions,
    log,
    signal,
    shelf: messageShelf(api),
    recordedVersion,
    recordBegun(node, known) {
      if (recordedVersion(node, known.uid) === NEVER_ACKNOWLEDGED) return;
      writer.acknowledged(node, recordedObject(known.kind, known), NEVER_ACKNOWLEDGED);
    },
  };
}

function takeEvent(
  telling: Telling,
  { sessions, truth: readTruth }: DownstreamParts,
  talks: ReadonlyMap<string, NodeTalk>,
  event: ClusterEvent,
): void {
  const truth = readTruth();
  if (truth === undefined) return;
  const { known } = event;
  if (event.type === 'gone') {
    if (known.kind === EDGE_KINDS.node) return sessions.disconnect(known.name, 'its Node object was deleted');
    const message = deletionMessage(known, event.object);
    for (const talk of talks.values()) withdraw(telling, talk, known, message);
    return;
  }
  for (const node of concernedNodes(truth.cluster, known)) {
    const talk = talks.get(node);
    if (talk === undefined) continue;
    const tell = (): void => void offer(telling, talk, known, event.object);
    if (known.kind === EDGE_KINDS.pod) afterNeeds(telling, truth.cluster, talk, tell);
    else tell();
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
  telling: Telling,
  writer: RecordWriter,
  talk: NodeTalk | undefined,
  { kind, object }: Answered,
): void {
  const { uid, resourceVersion: version, name, namespace } = object.metadata;
  if (talk === undefined || uid === undefined || version === undefined) return;
  talk.told.set(uid, { version, fingerprint: fingerprintOf(kind, object) });
  // From now on the node follows the object. Should the answer be lost, the node asks again.
  if (!ASKED_FOR.has(kind) || telling.recordedVersion(talk.node, uid) !== undefined) return;
  writer.acknowledged(talk.node, recordedObject(kind, { namespace, name, uid }), version);
}

const ASKED_FOR: ReadonlySet<SyncedKind> = new Set([EDGE_KINDS.configMap, EDGE_KINDS.secret]);
