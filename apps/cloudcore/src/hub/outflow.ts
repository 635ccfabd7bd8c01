import { type Message, OPERATIONS } from '@fenestra/contracts';
import { DeliveryWindow } from './delivery-window.ts';
import type { HubContext } from './hub-context.ts';
import type { Delivery } from './node-sessions.ts';
import type { Session } from './session.ts';

const AS_TEXT = { binary: false };

/** Sends messages to nodes, no faster than each of them reads. */
export class Outflow {
  readonly #context: HubContext;
  /** Sessions with deliveries on their way. */
  readonly #busy = new Set<Session>();

  constructor(context: HubContext) {
    this.#context = context;
  }

  /** How many objects are on their way to nodes. */
  get pending(): number {
    return [...this.#busy].reduce((sum, { window }) => sum + (window?.size ?? 0), 0);
  }

  /** Sends a version of an object until the node acknowledges it or a later one. */
  deliver(session: Session, { key, resourceVersion, message }: Delivery): void {
    if (!this.#canEncode(session, message)) return;
    const { now, window } = this.#context;
    const deletes = message.route.operation === OPERATIONS.delete;
    session.window ??= new DeliveryWindow(window);
    const at = now();
    session.window.offer({ key, resourceVersion, deletes, id: message.header.id, message }, at);
    this.pump(session, at);
  }

  /** Stops delivering an object. */
  forget({ window }: Session, key: string): void {
    window?.drop(key);
  }

  /** Sends a message once, unless the node has far too many bytes to read already. */
  send(session: Session, message: Message): void {
    if (!this.#canEncode(session, message)) return;
    const { counts, encode, limits, log } = this.#context;
    if (session.socket.bufferedAmount > limits.dropBytes) {
      counts.dropped += 1;
      log.warn('Dropped a message: the node reads too slowly', named(session, message));
      return;
    }
    session.socket.send(encode(message), AS_TEXT);
    counts.sent += 1;
  }

  /** Sends of a node's deliveries what may be sent now. */
  pump(session: Session, now: number): void {
    const { window } = session;
    if (window !== undefined) {
      this.#sendFrom(window, session, now);
      if (window.size === 0) session.window = undefined;
    }
    if (session.window === undefined) this.#busy.delete(session);
    else this.#busy.add(session);
  }

  /** Sends to every node what may be sent now. */
  pumpAll(now: number): void {
    for (const session of this.#busy) this.pump(session, now);
  }

  /** The session is over, and with it everything on its way. */
  remove(session: Session): void {
    this.#busy.delete(session);
    session.window = undefined;
  }

  /** Whether a node has left its bytes unread for too long. */
  isTooSlow(session: Session, now: number): boolean {
    const { bufferedBytes, slowMs } = this.#context.limits;
    if (session.socket.bufferedAmount < bufferedBytes) {
      session.slowSince = undefined;
      return false;
    }
    session.slowSince ??= now;
    return now - session.slowSince > slowMs;
  }

  #sendFrom(window: NonNullable<Session['window']>, { socket }: Session, now: number): void {
    const { counts, encode, limits } = this.#context;
    while (socket.bufferedAmount < limits.bufferedBytes) {
      const version = window.take(now);
      if (version === undefined) return;
      socket.send(encode(version.message), AS_TEXT);
      counts.sent += 1;
    }
  }

  /** A message that cannot be encoded is dropped and harms no other. */
  #canEncode(session: Session, message: Message): boolean {
    const { counts, encode, log } = this.#context;
    try {
      encode(message);
      return true;
    } catch (error) {
      counts.dropped += 1;
      log.error('Dropped a message that cannot be sent', { ...named(session, message), error: String(error) });
      return false;
    }
  }
}

function named({ node }: Session, { route }: Message) {
  return { node, operation: route.operation, resource: route.resource };
}
