import { isJsonObject, type Json, type JsonObject, OperatorError } from '@fenestra/kernel';
import { parseJson, tryParseJson } from './json.ts';
import { MAX_MESSAGE_BYTES } from './limits.ts';
import type { Message, MessageHeader, MessageRoute, UnknownFields } from './message.ts';

/**
 * Reads the text of one WebSocket frame. Whatever the bytes are, it throws nothing but `MESSAGE_INVALID`. With
 * `maxValues` a message that holds more values is refused before it is parsed.
 */
export function decodeMessage(bytes: Uint8Array, maxValues?: number): Message {
  if (bytes.length > MAX_MESSAGE_BYTES) throw unreadable(`it is larger than ${MAX_MESSAGE_BYTES} bytes`);
  const document = objectAt(parseJson(bytes, maxValues), 'the message');
  return {
    header: readHeader(objectAt(document['header'], 'header')),
    route: readRoute(objectAt(document['route'] ?? {}, 'route')),
    content: document['content'] ?? null,
  };
}

// More than a route and the header before it need.
const HEAD_BYTES = 8 * 1024;
const ROUTE = '"route":';

/**
 * Reads the route of a message without its content. Undefined unless the route comes before the content and holds
 * nothing but texts, as both upstream and `encodeMessage` write it.
 */
export function peekRoute(bytes: Uint8Array): MessageRoute | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD_BYTES)).toString('utf8');
  const start = head.indexOf(`${ROUTE}{`);
  if (start < 0) return undefined;
  const route = tryParseJson(head.slice(start + ROUTE.length, head.indexOf('}', start) + 1));
  try {
    return isJsonObject(route) ? readRoute(route) : undefined;
  } catch (error) {
    if (error instanceof OperatorError) return undefined;
    throw error;
  }
}

function readHeader(header: JsonObject): MessageHeader {
  const { msg_id, parent_msg_id, timestamp, resourceversion, sync, type, ...unknown } = header;
  const id = textAt(msg_id, 'header.msg_id');
  const parentId = textAt(parent_msg_id, 'header.parent_msg_id');
  const resourceVersion = textAt(resourceversion, 'header.resourceversion');
  const transport = textAt(type, 'header.type');
  if (id === '') throw unreadable('"header.msg_id" is missing');
  return {
    id,
    ...(parentId === '' ? {} : { parentId }),
    timestamp: timestampAt(timestamp ?? 0),
    ...(resourceVersion === '' ? {} : { resourceVersion }),
    ...(sync === true ? { sync } : {}),
    ...(transport === '' ? {} : { type: transport }),
    ...unknownFields(unknown),
  };
}

function readRoute(route: JsonObject): MessageRoute {
  const { source, destination, group, operation, resource, ...unknown } = route;
  const target = textAt(destination, 'route.destination');
  return {
    source: textAt(source, 'route.source'),
    ...(target === '' ? {} : { destination: target }),
    group: textAt(group, 'route.group'),
    operation: textAt(operation, 'route.operation'),
    resource: textAt(resource, 'route.resource'),
    ...unknownFields(unknown),
  };
}

function objectAt(value: Json | undefined, place: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw unreadable(`"${place}" is not an object`);
}

// Upstream leaves out what is empty, and reads `null` as empty.
function textAt(value: Json | undefined, place: string): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  throw unreadable(`"${place}" is not a string`);
}

function timestampAt(value: Json): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw unreadable('"header.timestamp" is not an integer');
}

function unknownFields(fields: JsonObject): { readonly unknown?: UnknownFields } {
  return Object.keys(fields).length === 0 ? {} : { unknown: fields };
}

function unreadable(reason: string): OperatorError {
  return new OperatorError('MESSAGE_INVALID', `Cannot read a message: ${reason}`, {
    hint: 'Compare the versions of cloud and node.',
  });
}

/**
 * Writes a message as the text of one WebSocket text frame, with upstream's field names in upstream's order, empty parts
 * left out and a line feed at the end. A message of more than `maxBytes` is refused.
 */
export function encodeMessage(message: Message, maxBytes = MAX_MESSAGE_BYTES): Buffer {
  const text = JSON.stringify({
    header: wireHeader(message.header),
    route: wireRoute(message.route),
    content: message.content,
  });
  const bytes = Buffer.from(`${escapeLikeGo(text)}\n`, 'utf8');
  if (bytes.length > maxBytes) throw tooLarge(message, bytes.length, maxBytes);
  return bytes;
}

// Unknown fields go first, so that they can never replace a known one. `undefined` leaves a field out.
function wireHeader({ id, parentId, timestamp, resourceVersion, sync, type, unknown }: MessageHeader) {
  return {
    ...unknown,
    msg_id: id,
    parent_msg_id: parentId || undefined,
    timestamp,
    resourceversion: resourceVersion || undefined,
    sync,
    type: type || undefined,
  };
}

function wireRoute({ source, destination, group, operation, resource, unknown }: MessageRoute) {
  return {
    ...unknown,
    source: source || undefined,
    destination: destination || undefined,
    group: group || undefined,
    operation: operation || undefined,
    resource: resource || undefined,
  };
}

// These characters stand in JSON only inside strings, so they can be replaced in the finished text.
const ESCAPED_BY_GO = /[<>&\u2028\u2029]/g;

function escapeLikeGo(text: string): string {
  return text.replace(ESCAPED_BY_GO, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function tooLarge({ route }: Message, bytes: number, limit: number): OperatorError {
  return new OperatorError('MESSAGE_INVALID', `Cannot send "${route.resource}": the message is too large`, {
    hint: 'Make the object smaller or split it.',
    details: { bytes, limit },
  });
}
