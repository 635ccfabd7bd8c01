import { type Message, type MessageStamp, newMessage } from './message.ts';
import { GROUPS, OPERATIONS, PLAIN_RESOURCES, SOURCES } from './route-names.ts';

/** The headers a node's WebSocket request carries, in lower case as Node.js gives received ones. An `Origin` header must not be there. */
const HANDSHAKE_HEADERS = {
  nodeName: 'node_id',
  projectId: 'project_id',
  connectionUse: 'connectionuse',
} as const;

/** The project that upstream's agent says it belongs to by default. No one checks it. */
export const DEFAULT_PROJECT_ID = 'e632aba927ea4ac2b575ec1603d56f10';

/** What a connection is for: messages, streams or both. */
export const CONNECTION_USES = { messages: 'msg', stream: 'str', shared: 'shr' } as const;

/** What a node says about itself when it connects. */
interface Handshake {
  readonly nodeName: string;
  readonly projectId: string;
  readonly connectionUse: string;
}

/** Received headers, as `http.IncomingMessage` has them: lower-case names. */
export type ReceivedHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Node side: the address to connect to. `server` is host and port. */
export function hubUrl(server: string, nodeName: string, projectId: string = DEFAULT_PROJECT_ID): string {
  return `wss://${server}/${encodeURIComponent(projectId)}/${encodeURIComponent(nodeName)}/events`;
}

/** Node side: the headers to connect with. */
export function handshakeHeaders(nodeName: string, projectId: string = DEFAULT_PROJECT_ID): Record<string, string> {
  return {
    [HANDSHAKE_HEADERS.nodeName]: nodeName,
    [HANDSHAKE_HEADERS.projectId]: projectId,
    [HANDSHAKE_HEADERS.connectionUse]: CONNECTION_USES.messages,
  };
}

/** Cloud side: what the request says. A header that is missing or doubled is an empty string. */
export function readHandshake(headers: ReceivedHeaders): Handshake {
  return {
    nodeName: single(headers[HANDSHAKE_HEADERS.nodeName]),
    projectId: single(headers[HANDSHAKE_HEADERS.projectId]),
    connectionUse: single(headers[HANDSHAKE_HEADERS.connectionUse]),
  };
}

function single(value: string | readonly string[] | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** What a node sends to stay connected. No one answers it. */
export function newKeepalive(stamp?: MessageStamp): Message {
  const route = { source: SOURCES.webSocket, group: GROUPS.resource, operation: OPERATIONS.keepalive };
  return newMessage({ ...route, resource: PLAIN_RESOURCES.node, content: 'ping' }, stamp);
}

/** Whether a message is a keepalive. The operation alone decides. */
export function isKeepalive(message: Pick<Message, 'route'>): boolean {
  return message.route.operation === OPERATIONS.keepalive;
}
