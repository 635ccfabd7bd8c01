import { encodeMessage, splitNodePrefix, type Message } from '@fenestra/contracts';

/** The bytes of a message as they travel. */
export type MessageEncoder = (message: Message) => Buffer;

/** Encodes each message once, however many nodes it goes to, and takes the node prefix off its resource. */
export function messageEncoder(): MessageEncoder {
  const encoded = new WeakMap<Message, Buffer>();
  return (message) => {
    const known = encoded.get(message);
    if (known !== undefined) return known;
    const bytes = encodeMessage(withoutPrefix(message));
    encoded.set(message, bytes);
    return bytes;
  };
}

function withoutPrefix(message: Message): Message {
  const { resource } = splitNodePrefix(message.route.resource);
  return resource === message.route.resource ? message : { ...message, route: { ...message.route, resource } };
}
