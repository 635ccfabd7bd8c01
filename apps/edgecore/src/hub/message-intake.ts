import { acknowledge, mustAcknowledge, refuse, type Message } from '@fenestra/contracts';
import type { Logger } from '@fenestra/platform';
import { describeFailure, failureFields } from '../modules/describe-failure.ts';
import type { HubConnection } from './hub-connection.ts';

/**
 * Takes in one message from the cloud. When it returns or its promise is fulfilled the message is safe on this node and
 * is acknowledged (`response`, `OK`); when it throws the cloud gets an `error` and sends the message again later.
 */
export type MessageListener = (message: Message) => void | Promise<void>;

/** Hands a message to the listeners, and answers it on the connection it came by. */
export type MessageIntake = (message: Message, origin: HubConnection) => void;

/** At this many messages that are not stored yet, nothing more is read from the cloud. */
const MAX_PENDING = 256;
const RESUME_AT = MAX_PENDING / 2;

/**
 * Makes an intake for all connections: the limit is on what the node holds in memory, whichever connection it came by.
 * A connection may end while its messages are being stored, so the one to resume is the one that was paused.
 */
export function messageIntake(listeners: ReadonlySet<MessageListener>, log: Logger): MessageIntake {
  let pending = 0;
  let paused: HubConnection | undefined;
  const begin = (origin: HubConnection): void => {
    pending += 1;
    if (pending < MAX_PENDING || paused === origin) return;
    paused = origin;
    origin.setReading(false);
  };
  const finish = (): void => {
    pending -= 1;
    if (pending > RESUME_AT || paused === undefined) return;
    const waiting = paused;
    paused = undefined;
    waiting.setReading(true);
  };
  return (message, origin) => {
    begin(origin);
    void takeIn(message, listeners)
      .then(() => acknowledgeIfNeeded(origin, message))
      .catch((cause: unknown) => refuseIfNeeded(origin, message, cause, log))
      .finally(finish);
  };
}

async function takeIn(message: Message, listeners: ReadonlySet<MessageListener>): Promise<void> {
  if (listeners.size === 0) throw new Error('No module takes messages at the moment');
  await Promise.all([...listeners].map(async (taker) => taker(message)));
}

function acknowledgeIfNeeded(origin: HubConnection, message: Message): void {
  if (mustAcknowledge(message)) origin.sendUrgent(acknowledge(message));
}

function refuseIfNeeded(origin: HubConnection, message: Message, cause: unknown, log: Logger): void {
  const { operation, resource } = message.route;
  log.warn('A message from the cloud was not taken in', { operation, resource, ...failureFields(cause) });
  if (mustAcknowledge(message)) origin.sendUrgent(refuse(message, describeFailure(cause).message));
}
