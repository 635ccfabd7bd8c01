import type { HubContext } from './hub-context.ts';
import type { HubCounts } from './hub-counts.ts';
import type { HubLimits } from './hub-limits.ts';
import type { Session } from './session.ts';

/** What a message costs the node that sent it. */
interface MessageCost {
  readonly messages: 0 | 1;
  readonly bytes: number;
}

/** Decides which nodes are read from: one that sends too much is paused until its allowance permits more. */
export class Inflow {
  readonly #limits: HubLimits;
  readonly #counts: HubCounts;
  readonly #now: () => number;
  readonly #paused = new Set<Session>();
  /** Bytes of all messages that the controllers work on. */
  #unfinishedBytes = 0;

  constructor({ limits, counts, now }: HubContext) {
    this.#limits = limits;
    this.#counts = counts;
    this.#now = now;
  }

  /** Charges a message to what the node may send, and pauses the node if that is used up. */
  charge(session: Session, cost: MessageCost): void {
    this.#refill(session, session.heardAt);
    session.allowance -= cost.messages;
    session.byteAllowance -= cost.bytes;
    if (!this.#isExhausted(session) || session.socket.isPaused) return;
    this.#counts.throttled += 1;
    this.#paused.add(session);
    session.socket.pause();
  }

  /** As many listeners have begun to work on a message of the node. */
  begin(session: Session, listeners: number, bytes: number): void {
    this.#addUnfinished(session, listeners, listeners * bytes);
  }

  /** One listener has dealt with a message of the node. */
  finish(session: Session, bytes: number): void {
    this.#addUnfinished(session, -1, -bytes);
    this.#resume(session, this.#now());
  }

  /** Reads again from every paused node whose allowance permits. */
  resumeAll(now: number): void {
    for (const session of this.#paused) this.#resume(session, now);
  }

  /** The session is over. */
  remove(session: Session): void {
    this.#paused.delete(session);
  }

  #addUnfinished(session: Session, count: number, bytes: number): void {
    session.unfinished += count;
    session.unfinishedBytes += bytes;
    this.#unfinishedBytes += bytes;
  }

  #resume(session: Session, now: number): void {
    if (session.socket.isPaused) {
      // A node that is not read from cannot be blamed for its silence.
      session.heardAt = now;
      this.#refill(session, now);
      if (this.#isExhausted(session)) return;
      session.socket.resume();
    }
    this.#paused.delete(session);
  }

  #isExhausted({ allowance, byteAllowance, unfinished, unfinishedBytes }: Session): boolean {
    const limits = this.#limits;
    if (allowance < 1 || byteAllowance < 0 || unfinished >= limits.unfinished) return true;
    // When all nodes together use the memory up, a node without unfinished messages is still served.
    const share = this.#unfinishedBytes > limits.allUnfinishedBytes ? 0 : limits.unfinishedBytes;
    return unfinishedBytes > share;
  }

  #refill(session: Session, now: number): void {
    const limits = this.#limits;
    const seconds = (now - session.allowanceAt) / 1_000;
    session.allowance = Math.min(limits.messageBurst, session.allowance + seconds * limits.messagesPerSecond);
    session.byteAllowance = Math.min(limits.byteBurst, session.byteAllowance + seconds * limits.bytesPerSecond);
    session.allowanceAt = now;
  }
}
