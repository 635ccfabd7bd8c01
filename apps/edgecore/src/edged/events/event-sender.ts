import {
  GROUPS,
  type Message,
  newMessage,
  objectResource,
  OPERATIONS,
  RESOURCE_TYPES,
  SOURCES,
} from '@fenestra/contracts';
import { type CountedEvent, coreEvent, eventNamespace, eventRepetition } from '@fenestra/pods';
import type { Logger } from '@fenestra/platform';
import type { HubLink } from '../../hub/hub-link.ts';
import { failureFields } from '../../modules/describe-failure.ts';
import { createAlarm } from '../../modules/waiting.ts';
import { RecentMap } from './recent-map.ts';
import { TokenBucket } from './token-bucket.ts';

/** What a sender is made with. */
export interface EventSenderOptions {
  readonly hub: Pick<HubLink, 'connected' | 'onConnected' | 'deliver'>;
  readonly log: Logger;
  readonly nodeName: string;
  /** Events per second; 0 means no limit. */
  readonly perSecond: number;
  readonly burst: number;
}

/** Sends events to the cloud, in the order in which they were made. */
export interface EventSender {
  /** Sends an event now or when the cloud is back. A newer state of it replaces one that still waits. */
  put(event: CountedEvent): void;
  readonly ended: Promise<void>;
}

/** While the cloud is away, the oldest of more events are dropped. */
const MOST_WAITING = 500;
const REMEMBERED = 1000;
const RETRY_MS = 2_000;

/** Makes a sender, which sends until the signal fires. What waits then is lost. */
export function eventSender(options: EventSenderOptions, signal: AbortSignal): EventSender {
  const waiting = new Map<string, CountedEvent>();
  const alarm = createAlarm();
  let dropped = 0;
  const stop = options.hub.onConnected(() => {
    if (dropped > 0) options.log.warn('Events of the time without the cloud were dropped', { dropped });
    dropped = 0;
    alarm.ring();
  });
  return {
    put(event) {
      waiting.set(event.name, event);
      const [oldest] = waiting.keys();
      if (waiting.size > MOST_WAITING && oldest !== undefined) {
        waiting.delete(oldest);
        dropped += 1;
      }
      alarm.ring();
    },
    ended: keepSending({ ...options, waiting, alarm }, signal).finally(stop),
  };
}

interface Sending extends EventSenderOptions {
  readonly waiting: Map<string, CountedEvent>;
  readonly alarm: ReturnType<typeof createAlarm>;
}

async function keepSending(sending: Sending, signal: AbortSignal): Promise<void> {
  const { hub, log, nodeName, perSecond, burst, waiting, alarm } = sending;
  const limit = perSecond > 0 ? new TokenBucket(Math.max(1, burst), perSecond) : undefined;
  const sent = new RecentMap<true>(REMEMBERED);
  while (!signal.aborted) {
    const [next] = hub.connected ? waiting.values() : [];
    const waitMs = next === undefined ? Infinity : (limit?.take(performance.now()) ?? 0);
    if (next === undefined || waitMs > 0) {
      await alarm.wait(waitMs, signal);
      continue;
    }
    waiting.delete(next.name);
    try {
      await hub.deliver(eventMessage(next, nodeName, sent.get(next.name) === true), signal);
      sent.set(next.name, true);
    } catch (cause) {
      if (signal.aborted) return;
      if (!waiting.has(next.name)) waiting.set(next.name, next);
      log.debug('Cannot send an event now', failureFields(cause));
      await alarm.wait(RETRY_MS, signal);
    }
  }
}

/** As the agents of KubeEdge write events: the whole one first, then patches in JSON text. */
function eventMessage(event: CountedEvent, node: string, wasSent: boolean): Message {
  const resource = objectResource(eventNamespace(event), RESOURCE_TYPES.event, event.name);
  const whole = coreEvent(event, node);
  return newMessage({
    source: SOURCES.edged,
    group: GROUPS.meta,
    operation: wasSent ? OPERATIONS.patch : OPERATIONS.insert,
    resource,
    content: wasSent ? { event: whole, patchData: JSON.stringify(eventRepetition(event)) } : whole,
  });
}
