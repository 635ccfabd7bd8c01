import { isNewerVersion } from '@fenestra/contracts';
import { DeliveryQueues, type Entry, type ObjectVersion } from './delivery-queues.ts';
import { WindowLimit } from './window-limit.ts';
import type { WindowOptions } from './window-options.ts';

/** What is on its way to one node. It has no clock and no socket: the caller passes the time and sends what it takes. */
export class DeliveryWindow<V extends ObjectVersion> {
  readonly #options: WindowOptions;
  readonly #entries = new Map<string, Entry<V>>();
  readonly #sentIds = new Map<string, Entry<V>>();
  readonly #queues = new DeliveryQueues<V>();
  readonly #limit: WindowLimit;

  constructor(options: WindowOptions) {
    this.#options = options;
    this.#limit = new WindowLimit(options);
  }

  /** How many objects are not acknowledged yet. */
  get size(): number {
    return this.#entries.size;
  }

  /** How many of them were sent and may still be answered in time. */
  get inFlight(): number {
    return this.#queues.inFlight;
  }

  /** Takes in a version of an object, unless the one that is on its way is as new; returns whether it did. */
  offer(version: V, now: number): boolean {
    const entry = this.#entries.get(version.key);
    if (entry === undefined) {
      const added = { wanted: version, sent: undefined, attempts: 0, sentAt: 0, dueAt: 0 };
      this.#entries.set(version.key, added);
      this.#queues.addFresh(added);
      return true;
    }
    if (!supersedes(version, entry.wanted)) return false;
    entry.wanted = version;
    // The node may have refused the old version only; the limit of repetitions bounds how often this is tried.
    this.#queues.retryNow(entry, now);
    return true;
  }

  /** Gives the next version to send, if there is one and the node may have it now. */
  take(now: number): V | undefined {
    this.#expire(now);
    if (this.#queues.inFlight >= this.#limit.allowed(now)) return undefined;
    const entry = this.#next(now);
    return entry && this.#launch(entry, now);
  }

  /** The node has taken what it was sent under this id; returns it, or nothing if it is no longer of interest. */
  acknowledge(id: string, now: number): V | undefined {
    const entry = this.#answered(id, now);
    if (entry === undefined) return undefined;
    const { sent } = entry;
    this.#queues.remove(entry);
    this.#sentIds.delete(id);
    if (sent === entry.wanted) this.#entries.delete(entry.wanted.key);
    else this.#queues.addFresh(entry);
    return sent;
  }

  /** The node could not take what it was sent under this id: it is repeated later, a newer version at once. */
  refuse(id: string, now: number): V | undefined {
    const entry = this.#answered(id, now);
    if (entry === undefined || !this.#queues.isInFlight(entry)) return undefined;
    this.#retry(entry, now);
    return entry.sent;
  }

  /** Stops delivering an object. */
  drop(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#queues.remove(entry);
    if (entry.sent !== undefined) this.#sentIds.delete(entry.sent.id);
    this.#entries.delete(key);
  }

  /** The node has a new connection: whatever was sent over the old one and not acknowledged is sent again. */
  restart(): void {
    for (const entry of this.#entries.values()) {
      this.#queues.remove(entry);
      this.#queues.addFresh(entry);
    }
    this.#sentIds.clear();
    this.#limit.reset();
  }

  /** Moves what got no answer in time out of the way of the others. */
  #expire(now: number): void {
    for (let entry = this.#queues.timedOut(now); entry !== undefined; entry = this.#queues.timedOut(now)) {
      this.#limit.timedOut(entry.sentAt, now);
      this.#retry(entry, now);
    }
  }

  /** A silent node may only be stuck with what it has, so it is probed with something else. */
  #next(now: number): Entry<V> | undefined {
    const fresh = this.#queues.firstFresh();
    if (this.#limit.isSilent && fresh !== undefined) return fresh;
    return this.#queues.dueRepetition(now, this.#limit.repetitions) ?? fresh;
  }

  #launch(entry: Entry<V>, now: number): V {
    if (entry.sent !== undefined) this.#sentIds.delete(entry.sent.id);
    entry.sent = entry.wanted;
    this.#sentIds.set(entry.wanted.id, entry);
    this.#queues.launch(entry, now, now + this.#options.answerMs);
    this.#limit.sent(now);
    return entry.wanted;
  }

  #answered(id: string, now: number): Entry<V> | undefined {
    const entry = this.#sentIds.get(id);
    if (entry !== undefined) this.#limit.answered(now);
    return entry;
  }

  /** A version that was never sent need not wait for the failures of the one before it. */
  #retry(entry: Entry<V>, now: number): void {
    const delay = entry.sent === entry.wanted ? this.#retryDelay(entry) : 0;
    this.#queues.retry(entry, now + delay);
  }

  /** Between half and the whole of a time that doubles with every attempt. */
  #retryDelay({ attempts }: Entry<V>): number {
    const { firstRetryMs, longestRetryMs, random } = this.#options;
    const doubled = firstRetryMs * 2 ** (attempts - 1);
    return Math.min(longestRetryMs, doubled) * (0.5 + random() / 2);
  }
}

function supersedes(candidate: ObjectVersion, wanted: ObjectVersion): boolean {
  if (wanted.deletes)
    return isNewerVersion(candidate.resourceVersion, wanted.resourceVersion) && wanted.resourceVersion !== '';
  return candidate.deletes || isNewerVersion(candidate.resourceVersion, wanted.resourceVersion);
}
