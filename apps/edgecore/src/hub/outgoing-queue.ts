import { OperatorError } from '@fenestra/kernel';

/** Upstream's own limit for what waits between two of its modules. */
const MAX_WAITING = 1024;
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/** What may lie in the socket's own buffer: enough to keep it busy, little enough to notice a slow peer. */
const MAX_IN_FLIGHT_BYTES = 1024 * 1024;

/** What the queue writes to, and how fast. */
interface OutgoingOptions {
  /** Hands a frame to the socket; `taken` is called when it has left for the network. */
  readonly write: (frame: Buffer, taken: () => void) => void;
  readonly limit: RateLimit;
  readonly now: () => number;
}

/** Frames on their way to the cloud, in order and bounded. */
export class OutgoingQueue {
  readonly #options: OutgoingOptions;
  readonly #waiting: Waiting = { frames: [], bytes: 0 };
  readonly #urgent: Outgoing[] = [];
  #limit: RateLimit;
  #inFlightBytes = 0;
  #lastTaken = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: OutgoingOptions) {
    this.#options = options;
    this.#limit = options.limit;
  }

  /** Has what waits and what comes obey another rate, at once. */
  limitBy(limit: RateLimit): void {
    this.#limit = limit;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#pump();
  }

  /** Adds a frame that obeys the rate limit; says when it was taken. Throws `HUB_QUEUE_FULL` when too many wait. */
  add(frame: Buffer, taken?: () => void): void {
    refuseIfFull(this.#waiting, frame);
    this.#waiting.frames.push({ frame, taken });
    this.#waiting.bytes += frame.length;
    this.#pump();
  }

  /** Sends a frame ahead of those that wait for the rate: acknowledgements and keepalives relieve the cloud. */
  addUrgent(frame: Buffer): void {
    this.#urgent.push({ frame });
    this.#pump();
  }

  /** How long the socket has not taken anything although frames wait, in milliseconds. */
  stalledMs(): number {
    return this.#inFlightBytes === 0 ? 0 : this.#options.now() - this.#lastTaken;
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #pump(): void {
    while (this.#inFlightBytes < MAX_IN_FLIGHT_BYTES) {
      const next = this.#next();
      if (next === undefined) return;
      this.#put(next);
    }
  }

  #next(): Outgoing | undefined {
    const first = this.#urgent.shift();
    if (first !== undefined || this.#waiting.frames.length === 0 || this.#timer !== undefined) return first;
    const waitMs = this.#limit.take();
    if (waitMs === 0) return takeWaiting(this.#waiting);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#pump();
    }, waitMs);
    return undefined;
  }

  #put({ frame, taken }: Outgoing): void {
    const { write, now } = this.#options;
    if (this.#inFlightBytes === 0) this.#lastTaken = now();
    this.#inFlightBytes += frame.length;
    write(frame, () => {
      this.#inFlightBytes -= frame.length;
      this.#lastTaken = now();
      taken?.();
      this.#pump();
    });
  }
}

interface Outgoing {
  readonly frame: Buffer;
  readonly taken?: (() => void) | undefined;
}

interface Waiting {
  readonly frames: Outgoing[];
  bytes: number;
}

function takeWaiting(waiting: Waiting): Outgoing | undefined {
  const first = waiting.frames.shift();
  waiting.bytes -= first?.frame.length ?? 0;
  return first;
}

function refuseIfFull({ frames, bytes }: Waiting, frame: Buffer): void {
  if (frames.length < MAX_WAITING && bytes + frame.length <= MAX_WAITING_BYTES) return;
  throw new OperatorError('HUB_QUEUE_FULL', 'Cannot send to the cloud: too many messages wait already', {
    hint: 'Check the network between this node and the cloud.',
    details: { messages: frames.length, bytes },
  });
}

/** Lets through so many at once, and so many per second after that. */
export interface RateLimit {
  /** Takes one permission: 0 if it may go now, else the milliseconds to wait before asking again. */
  take(): number;
}

/** A bucket of `burst` permissions that refills with `perSecond`; without a rate everything may go. `now` in ms. */
export function rateLimit(perSecond: number, burst: number, now: () => number): RateLimit {
  if (perSecond <= 0) return { take: () => 0 };
  const size = Math.max(1, burst);
  let filled = size;
  let at = now();
  return {
    take() {
      const time = now();
      filled = Math.min(size, filled + ((time - at) / 1000) * perSecond);
      at = time;
      if (filled < 1) return Math.ceil(((1 - filled) / perSecond) * 1000);
      filled -= 1;
      return 0;
    },
  };
}
