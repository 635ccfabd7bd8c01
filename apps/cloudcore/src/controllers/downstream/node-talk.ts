import { OPERATIONS, type Message } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import type { KubeObject } from '@fenestra/kube-api';
import type { Logger } from '@fenestra/platform';
import type { NodeSessions } from '../../hub/node-sessions.ts';
import type { KnownObject } from '../known-object.ts';
import type { NamedObject } from '../object-messages.ts';
import { decide, type Told } from './decide.ts';
import type { MessageShelf } from './message-shelf.ts';

/** What was said to a node since it connected. */
export interface NodeTalk {
  readonly node: string;
  readonly told: Map<string, Told>;
  /** Objects the node was told are gone. */
  readonly gone: Set<string>;
  /** Whether what the node acknowledged in earlier sessions counts. */
  trustsRecords: boolean;
  /** False once the node has gone. */
  connected: boolean;
}

/** What telling takes. */
export interface Telling {
  readonly sessions: NodeSessions;
  readonly shelf: MessageShelf;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** The version of an object that the node acknowledged last, in whatever session. */
  recordedVersion(node: string, uid: string): string | undefined;
  /** Notes that the node is about to hear of an object, so that its deletion is told even if no answer comes. */
  recordBegun(node: string, known: KnownObject): void;
}

/** Begins to talk with a node. */
export function newTalk(node: string): NodeTalk {
  return { node, told: new Map(), gone: new Set(), trustsRecords: true, connected: true };
}

/**
 * Tells a node of an object, unless it knows already. An object that is not at hand is fetched: then the promise says
 * when it has been told, or that it cannot be for now. It never rejects.
 */
export function offer(
  telling: Telling,
  talk: NodeTalk,
  known: KnownObject,
  object?: KubeObject,
): Promise<void> | undefined {
  if (!talk.connected) return undefined;
  const recorded = talk.trustsRecords ? telling.recordedVersion(talk.node, known.uid) : undefined;
  const decision = decide(known, talk.told.get(known.uid), recorded);
  if (decision === 'skip') return undefined;
  const told = { version: known.version, fingerprint: known.fingerprint };
  talk.told.set(known.uid, told);
  if (decision === 'note') return undefined;
  if (decision === 'first') telling.recordBegun(talk.node, known);
  const operation = decision === 'first' ? known.kind.sync.firstOperation : OPERATIONS.update;
  if (object === undefined) return fetchAndDeliver(telling, talk, { known, told, operation });
  deliver(telling, talk, known.uid, telling.shelf.make(known.kind, operation, object));
  return undefined;
}

/** Tells a node that an object is gone, if it ever heard of it. */
export function withdraw(telling: Telling, talk: NodeTalk, gone: NamedObject, message: Message): void {
  const heard = talk.told.delete(gone.uid) || telling.recordedVersion(talk.node, gone.uid) !== undefined;
  if (!heard || talk.gone.has(gone.uid)) return;
  talk.gone.add(gone.uid);
  deliver(telling, talk, gone.uid, message);
}

interface Fetch {
  readonly known: KnownObject;
  readonly told: Told;
  readonly operation: string;
}

async function fetchAndDeliver(telling: Telling, talk: NodeTalk, { known, told, operation }: Fetch): Promise<void> {
  try {
    const message = await telling.shelf.fetch(known, operation, telling.signal);
    // Only if nothing newer was said, nor the node went, while the object was fetched.
    if (message === undefined || !talk.connected || talk.told.get(known.uid) !== told) return;
    talk.told.set(known.uid, { ...told, version: message.header.resourceVersion ?? told.version });
    deliver(telling, talk, known.uid, message);
  } catch (error) {
    // Forgotten again, so that the next look at the node tries once more.
    if (talk.told.get(known.uid) === told) talk.told.delete(known.uid);
    if (telling.signal.aborted) return;
    const code = error instanceof OperatorError ? error.code : 'unknown';
    telling.log.warn('an object for a node could not be read', { node: talk.node, uid: known.uid, code });
  }
}

function deliver({ sessions }: Telling, talk: NodeTalk, key: string, message: Message): void {
  sessions.deliver(talk.node, { key, resourceVersion: message.header.resourceVersion ?? '0', message });
}
