import { newMessage, type Message, type MessageStamp } from './message.ts';
import { GROUPS, OPERATIONS, PLAIN_RESOURCES, SOURCES } from './route-names.ts';

/** How often a node says that it is there. It does so at once after connecting, too. */
export const KEEPALIVE_INTERVAL_MS = 15_000;

/** How long the cloud waits for the next keepalive before it closes the connection. Other traffic does not count. */
export const KEEPALIVE_TIMEOUT_MS = 30_000;

/** What a node sends to stay connected. Nobody answers it. */
export function newKeepalive(stamp?: MessageStamp): Message {
  const route = { source: SOURCES.webSocket, group: GROUPS.resource, operation: OPERATIONS.keepalive };
  return newMessage({ ...route, resource: PLAIN_RESOURCES.node, content: 'ping' }, stamp);
}

/** Whether a message is a keepalive. The operation alone decides. */
export function isKeepalive(message: Pick<Message, 'route'>): boolean {
  return message.route.operation === OPERATIONS.keepalive;
}
