/** Limits how often something happens: `burst` times at once, then `perSecond` times per second on average. */
export class TokenBucket {
  readonly #burst: number;
  readonly #perSecond: number;
  #tokens: number;
  #filledAt: number | undefined;

  constructor(burst: number, perSecond: number) {
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#tokens = burst;
  }

  /** Takes a token and returns 0, or returns how many milliseconds there is none. `now` is in milliseconds. */
  take(now: number): number {
    const passedMs = Math.max(0, now - (this.#filledAt ?? now));
    this.#filledAt = now;
    this.#tokens = Math.min(this.#burst, this.#tokens + (passedMs / 1000) * this.#perSecond);
    if (this.#tokens < 1) return ((1 - this.#tokens) / this.#perSecond) * 1000;
    this.#tokens -= 1;
    return 0;
  }
}
