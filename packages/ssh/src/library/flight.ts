/** With less on its way, OpenSSH's server would often wait for us, for it tells only now and then what it has passed on. */
const LEAST_BYTES = 512 * 1024;
/** A few machines may have as much on their way as one, whatever the distance. */
const SHARED_BYTES = 2 * 1024 * 1024;
/** More than a controller sends to all machines together. */
const MOST_BYTES_PER_MS = 800_000;
/** Of so many answers one is hardly late by what else both ends have to do. */
const ANSWERS_TO_TRUST = 3;
/** That is no busy machine any more, but a long way, whoever else is sent to. */
const FAR_MS = 50;
/** Who has not answered by then never will. */
const PATIENCE_MS = 1000;

/** How many commands are sent much to at the same time. */
export interface Traffic {
  flights: number;
}

/** Asks the far end for an answer without content; false if there is no way to. */
export type Ask = (answered: () => void) => boolean;

/**
 * How much may be on its way to a command at once. OpenSSH's server moves all that its command has not taken yet to other
 * memory whenever more comes: a full window, which a long way needs, costs a near machine a tenth of all the work. So it
 * is as much as the way can hold of this command's share, by the quickest answer.
 */
export class Flight {
  readonly #traffic: Traffic;
  readonly #ask: Ask;
  readonly #now: () => number;
  #sent = 0;
  #unasked = 0;
  #answers = 0;
  #quickestMs = Infinity;
  #askedAt: number | undefined;
  #isCounted = false;
  #isFree = false;

  constructor(traffic: Traffic, ask: Ask, now = (): number => performance.now()) {
    this.#traffic = traffic;
    this.#ask = ask;
    this.#now = now;
  }

  /** So many bytes at most. */
  limit(): number {
    if (this.#isFree || this.#isUnanswered()) return Infinity;
    const few = Math.max(LEAST_BYTES, SHARED_BYTES / this.#traffic.flights);
    if (this.#answers < ANSWERS_TO_TRUST) return few;
    if (this.#quickestMs > FAR_MS) return Infinity;
    return Math.max(few, (MOST_BYTES_PER_MS * this.#quickestMs) / this.#traffic.flights);
  }

  /** Asks for the first answers without a pause, for the later ones more and more seldom, and for none if little is sent. */
  send(bytes: number): void {
    this.#sent += bytes;
    this.#unasked += bytes;
    if (this.#isFree || this.#sent <= LEAST_BYTES) return;
    this.#count(true);
    const trusted = this.#answers - ANSWERS_TO_TRUST + 1;
    if (this.#askedAt === undefined && this.#unasked >= trusted * LEAST_BYTES) this.#askAgain();
  }

  /** Nothing is sent for a while: until there is, nobody has to leave anything to this one. */
  rest(): void {
    this.#sent = 0;
    this.#count(false);
  }

  /** From now on only the server's window counts, and nobody has to leave anything to this one. */
  setFree(): void {
    this.#isFree = true;
    this.#count(false);
  }

  #count(isOneMore: boolean): void {
    if (this.#isCounted === isOneMore) return;
    this.#isCounted = isOneMore;
    this.#traffic.flights += isOneMore ? 1 : -1;
  }

  #isUnanswered(): boolean {
    return this.#askedAt !== undefined && this.#now() - this.#askedAt > PATIENCE_MS;
  }

  #askAgain(): void {
    this.#unasked = 0;
    const askedAt = this.#now();
    this.#askedAt = askedAt;
    const isAsked = this.#ask(() => {
      this.#askedAt = undefined;
      this.#answers += 1;
      this.#quickestMs = Math.min(this.#quickestMs, this.#now() - askedAt);
    });
    if (!isAsked) this.setFree();
  }
}
