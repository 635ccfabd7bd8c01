import { OperatorError } from '@fenestra/kernel';
import { MAX_MESSAGE_BYTES } from './limits.ts';
import type { Message, MessageHeader, MessageRoute } from './message.ts';

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
