import { type CloudDestination, cloudDestinationOf } from './dispatch.ts';
import type { Message } from './message.ts';

const MEBIBYTE = 1024 * 1024;

/** The largest message either side sends or reads: upstream's own limit where it has one. */
export const MAX_MESSAGE_BYTES = 32 * MEBIBYTE;

/** How many values a message from a node may hold. It bounds what a message costs in memory once it is parsed. */
export const MAX_NODE_MESSAGE_VALUES = 250_000;

/** How deep lists and objects may nest in a message. Deeper ones could be read but never be written again. */
export const MAX_MESSAGE_DEPTH = 1000;

/** The most unacknowledged messages a node may have: upstream's agent drops the oldest of more than 100 unread ones. */
export const MAX_UNACKNOWLEDGED = 64;

/** How long upstream's cloud waits for an acknowledgement before it sends a message again. */
export const ACKNOWLEDGEMENT_TIMEOUT_MS = 5_000;

/** The largest certificate request the cloud reads. */
export const MAX_CERTIFICATE_REQUEST_BYTES = MEBIBYTE;

const KIBIBYTE = 1024;

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
