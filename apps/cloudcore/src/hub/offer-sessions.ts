import { OPERATIONS, type Message } from '@fenestra/contracts';
import { CLOSE_CODES } from './close-codes.ts';
import { drop, offer } from './delivery-window.ts';
import type { HubState } from './hub-state.ts';
import type { Delivery, NodeSessions } from './node-sessions.ts';
import { pump, sendOnce } from './outflow.ts';
import { endSession } from './session-life.ts';
import type { Session } from './session.ts';
import { openWindow } from './window-state.ts';

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
