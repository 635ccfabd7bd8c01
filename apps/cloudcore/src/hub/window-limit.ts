import type { WindowOptions } from './window-options.ts';

/** The fewest objects under way, however silent the node is: one that is stuck, and one that is not. */
const LEAST_SIZE = 2;

/** How many objects may be in flight to one node: fewer while it is silent, more again with every answer. */
export class WindowLimit {
  readonly #options: WindowOptions;
  #limit: number;
  #shrunkAt = Number.NEGATIVE_INFINITY;
  #unanswered = 0;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #sentAt = Number.NEGATIVE_INFINITY;

  constructor(options: WindowOptions) {
    this.#options = options;
    this.#limit = options.size;
  }

  /** Whether the node has answered nothing for so long that it is only probed. */
  get isSilent(): boolean {
    return this.#unanswered >= this.#options.unanswered;
  }

  /** Repetitions have a quarter of the places, so that any number of stuck objects leaves room for the others. */
  get repetitions(): number {
    return Math.max(1, this.#limit >> 2);
  }

  /** How many may be in flight now. A silent node gets little, so that its queue cannot overflow. */
  allowed(now: number): number {
    if (!this.isSilent) return this.#limit;
    return now < this.#sentAt + this.#options.probeMs ? 0 : 1;
  }

  /** An object was sent. */
  sent(now: number): void {
    this.#sentAt = now;
    this.#unanswered += 1;
  }

  /** Any answer shows that the node works on what it is sent. */
  answered(now: number): void {
    this.#answeredAt = now;
    this.#unanswered = 0;
    this.#limit = Math.min(this.#options.size, this.#limit + 2);
  }

  /** What was sent at `sentAt` got no answer in time. What was sent together is lost together, and shrinks the window once. */
  timedOut(sentAt: number, now: number): void {
    if (this.#answeredAt >= sentAt || sentAt <= this.#shrunkAt) return;
    this.#limit = Math.max(LEAST_SIZE, this.#limit >> 1);
    this.#shrunkAt = now;
  }

  /** The node has a new connection. */
  reset(): void {
    this.#limit = this.#options.size;
    this.#unanswered = 0;
  }
}
