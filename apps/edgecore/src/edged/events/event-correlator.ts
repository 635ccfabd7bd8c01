import type { CountedEvent, EventSubject, KubeletEvent } from '@fenestra/pods';
import { RecentMap } from './recent-map.ts';
import { TokenBucket } from './token-bucket.ts';

/** As many different messages of one reason are one event from then on, until there are none for so long. */
const SIMILAR_EVENTS = 10;
const SIMILAR_WITHIN_MS = 600_000;
/** So many events about one object at once, then one every five minutes. */
const BURST = 25;
const PER_SECOND = 1 / 300;
/** The API forgets an event that is not repeated for so long. */
const FORGOTTEN_AFTER_MS = 3_600_000;
const REMEMBERED = 1000;
const MESSAGE_CHARACTERS = 2048;

interface Similar {
  readonly messages: Set<string>;
  lastAt: number;
}

/**
 * Counts repetitions, combines similar events and drops what is too much, by the rules and limits of client-go:
 * https://github.com/kubernetes/client-go/blob/v0.32.10/tools/record/events_cache.go
 */
export class EventCorrelator {
  readonly #similar = new RecentMap<Similar>(REMEMBERED);
  readonly #counted = new RecentMap<CountedEvent>(REMEMBERED);
  readonly #buckets = new RecentMap<TokenBucket>(REMEMBERED);
  #made = 0;

  /** Returns the event as it is to be written; undefined if there are too many about its subject, which still count. */
  correlate(subject: EventSubject, event: KubeletEvent, now: number): CountedEvent | undefined {
    const short = { ...event, message: event.message.slice(0, MESSAGE_CHARACTERS) };
    const { key, message } = this.#combine(subject, short, now);
    const counted = this.#count(key, { subject, ...short, message }, now);
    return this.#isTooMuch(subject, now) ? undefined : counted;
  }

  #combine(subject: EventSubject, { type, reason, message }: KubeletEvent, now: number) {
    const key = JSON.stringify([idOf(subject), type, reason]);
    const before = this.#similar.get(key);
    const isOver = before === undefined || now - before.lastAt > SIMILAR_WITHIN_MS;
    const similar = isOver ? { messages: new Set<string>(), lastAt: now } : before;
    if (isOver) this.#similar.set(key, similar);
    similar.messages.add(message);
    similar.lastAt = now;
    if (similar.messages.size < SIMILAR_EVENTS)
      return { key: JSON.stringify([key, subject.fieldPath, message]), message };
    const [oldest = ''] = similar.messages;
    similar.messages.delete(oldest);
    return { key, message: `(combined from similar events): ${message}` };
  }

  #count(key: string, event: KubeletEvent & { readonly subject: EventSubject }, now: number): CountedEvent {
    const before = this.#counted.get(key);
    const isKnown = before !== undefined && now - before.lastAt < FORGOTTEN_AFTER_MS;
    const counted = isKnown
      ? { ...event, name: before.name, count: before.count + 1, firstAt: before.firstAt, lastAt: now }
      : { ...event, name: this.#nameFor(event.subject, now), count: 1, firstAt: now, lastAt: now };
    this.#counted.set(key, counted);
    return counted;
  }

  #isTooMuch(subject: EventSubject, now: number): boolean {
    const key = idOf(subject);
    const bucket = this.#buckets.get(key) ?? new TokenBucket(BURST, PER_SECOND);
    this.#buckets.set(key, bucket);
    return bucket.take(now) > 0;
  }

  /** The name of the subject and the time in nanoseconds, as client-go names events. */
  #nameFor({ name }: EventSubject, now: number): string {
    this.#made = (this.#made + 1) % 1_000_000;
    const nanoseconds = BigInt(Math.floor(now)) * 1_000_000n + BigInt(this.#made);
    return `${name.slice(0, NAME_CHARACTERS).replace(/[-.]+$/, '')}.${nanoseconds.toString(16)}`;
  }
}

/** A name has 253 characters at most, 17 of them for the time. */
const NAME_CHARACTERS = 236;

function idOf({ kind, namespace, name, uid }: EventSubject): string {
  return JSON.stringify([kind, namespace, name, uid]);
}
