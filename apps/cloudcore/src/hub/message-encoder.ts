import { encodeMessage, type Message } from '@fenestra/contracts';

/** The bytes of a message as they travel. */
export type MessageEncoder = (message: Message) => Buffer;

/** Encodes each message once, however many nodes it goes to. */
export function messageEncoder(): MessageEncoder {
  const encoded = new WeakMap<Message, Buffer>();
  return (message) => {
    const known = encoded.get(message);
    if (known !== undefined) return known;
    const bytes = encodeMessage(message);
    encoded.set(message, bytes);
    return bytes;
  };
}
