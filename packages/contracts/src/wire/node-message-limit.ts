import { cloudDestinationOf, type CloudDestination } from './dispatch.ts';
import type { Message } from './message.ts';

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;

/** A message of this size may be of any kind. */
export const SMALL_MESSAGE_BYTES = 64 * KIBIBYTE;

/** The largest message a node may send: what an application returns through the router. */
export const MAX_NODE_MESSAGE_BYTES = 8 * MEBIBYTE;

/** The largest request body a Kubernetes API server reads. */
const OBJECT_BYTES = 3 * MEBIBYTE;

const LIMITS: Readonly<Partial<Record<CloudDestination, number>>> = {
  keepalive: SMALL_MESSAGE_BYTES,
  acknowledgement: SMALL_MESSAGE_BYTES,
  refusal: SMALL_MESSAGE_BYTES,
  forged: SMALL_MESSAGE_BYTES,
  router: MAX_NODE_MESSAGE_BYTES,
};

/** How many bytes a message from a node to the cloud may have, by what it is about. */
export function nodeMessageLimit(message: Pick<Message, 'route'>): number {
  return LIMITS[cloudDestinationOf(message)] ?? OBJECT_BYTES;
}
