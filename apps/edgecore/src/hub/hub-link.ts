import { acknowledge, type Message, mustAcknowledge } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import type { Logger } from '@fenestra/platform';
import { failureFields } from '../modules/describe-failure.ts';
import type { HubClient, MessageListener, Unsubscribe } from './hub-client.ts';
import type { HubConnection } from './hub-connection.ts';
import { messageIntake, type MessageIntake } from './message-intake.ts';

/** The hub client as modules see it, and the side on which connections are put in and removed. */
export class HubLink implements HubClient {
  readonly #connected: Listeners<[]>;
  readonly #disconnected: Listeners<[reason: string]>;
  readonly #listeners = new Set<MessageListener>();
  readonly #pending = pendingRequests();
  readonly #intake: MessageIntake;
  /** Which connection an answer came by: it is acknowledged on that one only. */
  readonly #origins = new WeakMap<Message, HubConnection>();
  #connection: HubConnection | undefined;

  constructor(log: Logger) {
    this.#connected = listeners(log);
    this.#disconnected = listeners(log);
    this.#intake = messageIntake(this.#listeners, log);
  }

  get connected(): boolean {
    return this.#connection !== undefined;
  }

  onConnected(listener: () => void): Unsubscribe {
    const present = this.#connection;
    if (present !== undefined) queueMicrotask(() => this.#connection === present && listener());
    return this.#connected.add(listener);
  }

  onDisconnected(listener: (reason: string) => void): Unsubscribe {
    return this.#disconnected.add(listener);
  }

  onMessage(listener: MessageListener): Unsubscribe {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  send(message: Message): void {
    required(this.#connection).send(message);
  }

  async deliver(message: Message, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    required(this.#connection).send(message, resolve);
    const unsubscribe = this.onDisconnected(() => reject(notConnected()));
    const aborted = (): void => reject(signal.reason);
    signal.addEventListener('abort', aborted, { once: true });
    await promise.finally(() => {
      unsubscribe();
      signal.removeEventListener('abort', aborted);
    });
  }

  async request(message: Message, timeoutMs: number, signal?: AbortSignal): Promise<Message> {
    signal?.throwIfAborted();
    const present = required(this.#connection);
    const answer = this.#pending.wait(message, timeoutMs, signal);
    try {
      present.send(message);
    } catch (cause) {
      this.#pending.fail(message, cause);
    }
    return answer;
  }

  acknowledge(answer: Message): void {
    if (mustAcknowledge(answer)) this.#origins.get(answer)?.sendUrgent(acknowledge(answer));
  }

  /** Makes a new connection the present one, in place of any other. */
  attach(connection: HubConnection): void {
    if (this.#connection !== undefined) this.#replace(this.#connection);
    this.#connection = connection;
    this.#connected.call();
  }

  /** Says that a connection has ended, and why. Does nothing if another one is present. */
  detach(connection: HubConnection, reason: string): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    this.#pending.failAll(notConnected());
    this.#disconnected.call(reason);
  }

  /** Takes a message; what is sent because of it goes to the connection it came by. */
  receive(message: Message, origin: HubConnection): void {
    this.#origins.set(message, origin);
    if (!this.#pending.answer(message)) this.#intake(message, origin);
  }

  #replace(previous: HubConnection): void {
    const reason = 'another connection took its place';
    this.detach(previous, reason);
    previous.close(reason);
  }
}

function required(connection: HubConnection | undefined): HubConnection {
  if (connection === undefined) throw notConnected();
  return connection;
}

function notConnected(): OperatorError {
  return new OperatorError('HUB_NOT_CONNECTED', 'Cannot reach the cloud: there is no connection', {
    hint: 'Wait until the agent reconnects. If it does not, check its log.',
  });
}

interface Waiter {
  readonly resolve: (answer: Message) => void;
  readonly reject: (reason: unknown) => void;
}

/** The requests that wait for their answer, found again by the id they were sent with. */
interface PendingRequests {
  /** Waits for the answer to `message`; the message itself is not sent here. */
  wait(message: Message, timeoutMs: number, signal: AbortSignal | undefined): Promise<Message>;
  /** Gives an answer to anyone who waits for it; false if no one does. */
  answer(message: Message): boolean;
  /** Fails the one that waits for the answer to `message`. */
  fail(message: Message, reason: unknown): void;
  /** Fails all that wait. */
  failAll(reason: unknown): void;
}

/** Makes an empty collection. */
function pendingRequests(): PendingRequests {
  const waiting = new Map<string, Waiter>();
  return {
    async wait(message, timeoutMs, signal) {
      signal?.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<Message>();
      const aborted = (): void => reject(signal?.reason);
      const timer = setTimeout(() => reject(unanswered(message, timeoutMs)), timeoutMs);
      signal?.addEventListener('abort', aborted, { once: true });
      waiting.set(message.header.id, { resolve, reject });
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', aborted);
        waiting.delete(message.header.id);
      }
    },
    answer(message) {
      const caller = waiting.get(message.header.parentId ?? '');
      caller?.resolve(message);
      return caller !== undefined;
    },
    fail: (message, reason) => waiting.get(message.header.id)?.reject(reason),
    failAll(reason) {
      for (const { reject } of waiting.values()) reject(reason);
      waiting.clear();
    },
  };
}

function unanswered({ route }: Message, timeoutMs: number): OperatorError {
  const action = `get an answer to "${route.operation} ${route.resource}" within ${Math.ceil(timeoutMs / 1000)} s`;
  return new OperatorError('TIMED_OUT', `Cannot ${action}`, {
    hint: 'Check that the cloud is up and its Kubernetes API answers.',
  });
}

/** Functions to call when something happens. */
export interface Listeners<Args extends readonly unknown[]> {
  add(listener: (...args: Args) => void): Unsubscribe;
  /** Calls them all; one that throws is logged and keeps the others from nothing. */
  call(...args: Args): void;
}

/** Makes an empty collection. */
export function listeners<Args extends readonly unknown[]>(log: Logger): Listeners<Args> {
  const all = new Set<(...args: Args) => void>();
  return {
    add(listener) {
      all.add(listener);
      return () => void all.delete(listener);
    },
    call(...args) {
      for (const listener of all) {
        try {
          listener(...args);
        } catch (cause) {
          log.error('A listener of the hub failed', failureFields(cause));
        }
      }
    },
  };
}
