import { type Message, OPERATIONS } from '@fenestra/contracts';
import { drop, offer } from './delivery-window.ts';
import { pump, sendOnce } from './flow.ts';
import type { HubState } from './hub-state.ts';
import { endSession } from './session-life.ts';
import { CLOSE_CODES, type Session } from './session.ts';
import { openWindow } from './window-state.ts';

/** One version of one object on its way to a node. */
export interface Delivery {
  /** What the object is known by as long as it lives: its uid. An answer to a question has its own key. */
  readonly key: string;
  /** Kubernetes' version of the object: a decimal number. */
  readonly resourceVersion: string;
  /**
   * What the node gets, as it is: `route.resource` never has the `node/NAME/` prefix that upstream uses inside its cloud.
   * The same message may be delivered to many nodes: it is encoded once, so do not change it afterwards.
   */
  readonly message: Message;
}

/** Undoes a subscription. */
export type Unsubscribe = () => void;

/**
 * The nodes connected to this replica. What is on its way to a node is forgotten when the node goes, and sent again
 * when a newer connection of the same node replaces the older one. Anyone who delivers begins again when a node connects,
 * from what the Kubernetes API remembers: the node may have lost everything.
 * Callbacks run in order of subscription; one that throws is logged and harms no one.
 */
export interface NodeSessions {
  /** A node has connected. A second connection of the same node is a disconnection and a connection. */
  onNodeConnected(callback: (node: string) => void): Unsubscribe;
  onNodeDisconnected(callback: (node: string) => void): Unsubscribe;
  /** Names of the nodes connected right now. */
  nodes(): readonly string[];
  isConnected(node: string): boolean;
  /** SHA-256 of the public key that a connected node has proved, hex. */
  keyOf(node: string): string | undefined;
  /**
   * Sends until the node acknowledges: later versions replace earlier ones of the same key, several objects are
   * under way at once, and an object that is never acknowledged is repeated ever more seldom without delaying others.
   * The same or a lower version is ignored while one is on its way, except that a `delete` beats everything.
   * Does nothing if the node is not connected.
   */
  deliver(node: string, delivery: Delivery): void;
  /** Stops delivering an object. What was sent already may still arrive, but is no longer reported as acknowledged. */
  forget(node: string, key: string): void;
  /** Sends once, without waiting for an answer. Dropped if the node is gone, and with a warning if it reads far too slowly. */
  send(node: string, message: Message): void;
  /**
   * A node said something that is not the hub's own business (keepalives and acknowledgements are).
   * `route.resource` is as the node sent it, without a `node/NAME/` prefix; `node` is the certificate's name.
   * The promise says when the message is dealt with: a node with too many unfinished messages is not read from.
   */
  onMessage(callback: (node: string, message: Message) => void | Promise<void>): Unsubscribe;
  /** The node has taken this version of the object; `message` is the one it answered. */
  onAcknowledged(callback: (node: string, key: string, resourceVersion: string, message: Message) => void): Unsubscribe;
  /** Ends a node's session, telling it why; for instance when its Node object was deleted. */
  disconnect(node: string, reason: string): void;
}

/** The hub as its users see it. */
export function nodeSessions(hub: HubState): NodeSessions {
  return {
    onNodeConnected: (callback) => hub.connected.add(callback),
    onNodeDisconnected: (callback) => hub.disconnected.add(callback),
    onMessage: (callback) => hub.messages.add(callback),
    onAcknowledged: (callback) => hub.acknowledged.add(callback),
    nodes: () => [...hub.sessions.keys()],
    isConnected: (node) => hub.sessions.has(node),
    keyOf: (node) => hub.sessions.get(node)?.keyHash,
    deliver: (node, delivery) => deliver(hub, hub.sessions.get(node), delivery),
    forget: (node, key) => forget(hub.sessions.get(node), key),
    send: (node, message) => send(hub, hub.sessions.get(node), message),
    disconnect(node, reason) {
      const session = hub.sessions.get(node);
      if (session !== undefined) endSession(hub, session, CLOSE_CODES.policy, reason);
    },
  };
}

function deliver(hub: HubState, session: Session | undefined, { key, resourceVersion, message }: Delivery): void {
  if (session === undefined || !canEncode(hub, session, message)) return;
  const deletes = message.route.operation === OPERATIONS.delete;
  session.window ??= openWindow(hub.window);
  const now = hub.now();
  offer(session.window, { key, resourceVersion, deletes, id: message.header.id, message }, now);
  if (pump(session, hub, now)) hub.busy.add(session);
}

function forget(session: Session | undefined, key: string): void {
  if (session?.window !== undefined) drop(session.window, key);
}

function send(hub: HubState, session: Session | undefined, message: Message): void {
  if (session === undefined || !canEncode(hub, session, message)) return;
  if (sendOnce(session, hub.encode(message), hub)) return;
  hub.counts.dropped += 1;
  hub.log.warn('Dropped a message: the node reads too slowly', named(session, message));
}

/** A message that cannot travel fails alone. */
function canEncode(hub: HubState, session: Session, message: Message): boolean {
  try {
    hub.encode(message);
    return true;
  } catch (error) {
    hub.counts.dropped += 1;
    hub.log.error('Dropped a message that cannot be sent', { ...named(session, message), error: String(error) });
    return false;
  }
}

function named({ node }: Session, { route }: Message) {
  return { node, operation: route.operation, resource: route.resource };
}
