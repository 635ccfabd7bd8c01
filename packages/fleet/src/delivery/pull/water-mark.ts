/** How far something has come, for those who wait for it. */
export class WaterMark {
  #height = 0;
  #isStopped = false;
  #next = Promise.withResolvers<void>();

  rise(by: number): void {
    this.#height += by;
    this.#wake();
  }

  /** It rises no more. */
  stop(): void {
    this.#isStopped = true;
    this.#wake();
  }

  /** Whether it never comes so far. */
  misses(end: number): boolean {
    return this.#isStopped && this.#height < end;
  }

  /** Settles once it has come so far, or rejects if it never will. */
  async reached(end: number): Promise<void> {
    while (this.#height < end) {
      if (this.misses(end)) throw new Error(`there are ${this.#height} of ${end} bytes, and no more will come`);
      await this.#next.promise;
    }
  }

  #wake(): void {
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  }
}
