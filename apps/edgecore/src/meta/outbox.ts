import {
  decodeMessage,
  encodeMessage,
  type Message,
  nodeMessageLimit,
  parseResource,
  RESOURCE_TYPES,
} from '@fenestra/contracts';
import type { Logger } from '@fenestra/platform';
import type { HubLink } from '../hub/hub-link.ts';
import { failureFields } from '../modules/describe-failure.ts';
import type { Alarm } from '../modules/waiting.ts';
import { asAnswerTo, isFinal, readAnswer } from './cloud-answer.ts';
import type { MetaStore, WaitingMessage } from './store/meta-store.ts';

/** What must reach the cloud, now or when it is back. Kept on disk, so a restart loses nothing. */
export interface Outbox {
  /** How many messages wait. */
  readonly waiting: number;
  /** Queues a message. A whole status replaces an older one of the same object that still waits. */
  put(message: Message): void;
  /**
   * Sends what waits, the oldest first and one at a time, until nothing is left or the cloud does not take it.
   * Not to be called again before it returned.
   */
  flush(signal: AbortSignal): Promise<void>;
}

/** What an outbox is made with. */
interface OutboxOptions {
  readonly store: MetaStore;
  readonly hub: HubLink;
  readonly log: Logger;
  /** Stores what an answer says. */
  readonly apply: (answer: Message) => void;
  readonly answerTimeoutMs: () => number;
}

/** Opens the outbox on the node's store. */
export function openOutbox(options: OutboxOptions): Outbox {
  const { store, log } = options;
  return {
    get waiting() {
      return store.countWaiting();
    },
    put(message) {
      const dropped = store.transaction(() =>
        store.putWaiting(keyOf(message), encodeMessage(message, nodeMessageLimit(message)).toString('utf8')),
      );
      if (dropped > 0) log.warn('Too much waits for the cloud: the oldest was dropped', { dropped });
    },
    flush: async (signal) => flushAll(options, signal),
  };
}

/** Each of these is whole; a patch is not, so that all of them have to arrive. */
const STATUS_TYPES: ReadonlySet<string> = new Set([RESOURCE_TYPES.podStatus, RESOURCE_TYPES.nodeStatus]);

function keyOf({ header, route }: Message): string {
  return STATUS_TYPES.has(typeOf(route.resource)) ? `${route.operation} ${route.resource}` : header.id;
}

function typeOf(resource: string): string {
  const parsed = parseResource(resource);
  return parsed.form === 'object' ? parsed.type : '';
}

async function flushAll(options: OutboxOptions, signal: AbortSignal): Promise<void> {
  const { store, log } = options;
  for (let next = store.firstWaiting(); next !== undefined; next = store.firstWaiting()) {
    if (signal.aborted || !options.hub.connected) return;
    try {
      await deliver(options, next, signal);
      store.removeWaiting(next);
    } catch (cause) {
      log.debug('What waits for the cloud is kept for later', {
        waiting: store.countWaiting(),
        ...failureFields(cause),
      });
      return;
    }
  }
}

/** Returns once the entry is done with, delivered or refused permanently; throws if it should be tried again. */
async function deliver(options: OutboxOptions, entry: WaitingMessage, signal: AbortSignal): Promise<void> {
  const { hub, log, apply, answerTimeoutMs } = options;
  const message = readEntry(entry);
  if (message === undefined) return log.error('A message that waited for the cloud is unreadable', { key: entry.key });
  // The cloud answers everything but events.
  if (typeOf(message.route.resource) === RESOURCE_TYPES.event) return hub.deliver(message, signal);
  const answer = await hub.request(message, answerTimeoutMs(), signal);
  apply(asAnswerTo(message, answer));
  hub.acknowledge(answer);
  const result = readAnswer(answer);
  if (result.outcome !== 'failure') return;
  const { message: reason = 'no reason given', code = 0 } = result.status;
  if (!isFinal(result.status)) throw new Error(reason);
  log.warn('The cloud rejected a message from the node', { resource: message.route.resource, reason, code });
}

function readEntry(entry: WaitingMessage): Message | undefined {
  try {
    return decodeMessage(Buffer.from(entry.message, 'utf8'));
  } catch {
    return undefined;
  }
}

/** What a sender is made with. */
interface SenderOptions {
  readonly outbox: Outbox;
  readonly hub: HubLink;
  readonly log: Logger;
  /** Rings when there is something to send, or a connection to send it by. */
  readonly alarm: Alarm;
  /** How long to wait before what got stuck is tried again. */
  readonly retryMs: number;
}

/** Empties the outbox whenever the alarm rings, and goes on trying while something is stuck. Ends with the signal. */
export async function keepSending(options: SenderOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const isStuck = await sendAll(options, signal);
    await options.alarm.wait(isStuck ? options.retryMs : Infinity, signal);
  }
}

/** Returns whether something is left although there is a connection. */
async function sendAll({ outbox, hub, log }: SenderOptions, signal: AbortSignal): Promise<boolean> {
  try {
    await outbox.flush(signal);
    return hub.connected && !signal.aborted && outbox.waiting > 0;
  } catch (cause) {
    if (!signal.aborted) log.error('Cannot send what waits for the cloud', failureFields(cause));
    return hub.connected;
  }
}
