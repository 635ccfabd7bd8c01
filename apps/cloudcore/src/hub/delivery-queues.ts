/** One version of one object, ready to be sent. */
export interface ObjectVersion {
  readonly key: string;
  readonly resourceVersion: string;
  readonly deletes: boolean;
  /** What the node's answer refers to. */
  readonly id: string;
}

/** One object on its way: what the node shall have, and what it was sent last. */
export interface Entry<V extends ObjectVersion> {
  wanted: V;
  sent: V | undefined;
  attempts: number;
  sentAt: number;
  /** In flight: when to stop waiting for the answer. Waiting: when to send again. */
  dueAt: number;
}

/** The objects on their way to one node, each in exactly one of three queues: fresh, in flight, or waiting. */
export class DeliveryQueues<V extends ObjectVersion> {
  readonly #fresh = new Set<Entry<V>>();
  /** In the order of sending. */
  readonly #inFlight = new Set<Entry<V>>();
  readonly #waiting = new Set<Entry<V>>();
  /** How many of those in flight are repetitions. */
  #repeating = 0;
  /** Nothing in `waiting` is due before this. */
  #retryAt = Number.POSITIVE_INFINITY;

  /** How many objects are in flight. */
  get inFlight(): number {
    return this.#inFlight.size;
  }

  isInFlight(entry: Entry<V>): boolean {
    return this.#inFlight.has(entry);
  }

  /** The fresh object that was added first. */
  firstFresh(): Entry<V> | undefined {
    return first(this.#fresh);
  }

  /** An object in flight that got no answer in time. */
  timedOut(now: number): Entry<V> | undefined {
    const oldest = first(this.#inFlight);
    return oldest === undefined || oldest.dueAt > now ? undefined : oldest;
  }

  /** An object to be repeated now, unless so many repetitions are in flight already. */
  dueRepetition(now: number, limit: number): Entry<V> | undefined {
    if (now < this.#retryAt || this.#repeating >= limit) return undefined;
    let earliest = Number.POSITIVE_INFINITY;
    for (const entry of this.#waiting) {
      if (entry.dueAt <= now) return entry;
      earliest = Math.min(earliest, entry.dueAt);
    }
    this.#retryAt = earliest;
    return undefined;
  }

  /** Adds an object that is not in any queue, as one that was never sent. */
  addFresh(entry: Entry<V>): void {
    entry.sent = undefined;
    entry.attempts = 0;
    this.#fresh.add(entry);
  }

  /** Counts an attempt to send an object and waits for the answer until `dueAt`. */
  launch(entry: Entry<V>, now: number, dueAt: number): void {
    this.remove(entry);
    if (entry.attempts > 0) this.#repeating += 1;
    entry.attempts += 1;
    entry.sentAt = now;
    entry.dueAt = dueAt;
    this.#inFlight.add(entry);
  }

  /** Sends an object again, but not before `dueAt`. */
  retry(entry: Entry<V>, dueAt: number): void {
    this.remove(entry);
    this.#waiting.add(entry);
    this.#setDue(entry, dueAt);
  }

  /** A waiting object is sent again without further delay. */
  retryNow(entry: Entry<V>, now: number): void {
    if (this.#waiting.has(entry)) this.#setDue(entry, now);
  }

  /** Takes an object out of its queue. */
  remove(entry: Entry<V>): void {
    if (this.#inFlight.delete(entry) && entry.attempts > 1) this.#repeating -= 1;
    this.#fresh.delete(entry);
    this.#waiting.delete(entry);
  }

  #setDue(entry: Entry<V>, dueAt: number): void {
    entry.dueAt = dueAt;
    this.#retryAt = Math.min(this.#retryAt, dueAt);
  }
}

function first<T>(set: ReadonlySet<T>): T | undefined {
  for (const one of set) return one;
  return undefined;
}
