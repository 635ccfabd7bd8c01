import { acknowledge, type Message, mustAcknowledge } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import type { Logger } from '@fenestra/platform';
import { failureFields } from '../modules/describe-failure.ts';
import { withDeadline } from '../modules/waiting.ts';
import type { HubConnection } from './hub-connection.ts';
import { messageIntake, type MessageIntake, type MessageListener } from './message-intake.ts';

/** Removes a listener. */
export type Unsubscribe = () => void;

/**
 * The node's one connection to the cloud. The object exists as long as the agent; the connection behind it comes and goes.
 *
 * Acknowledgements: a message of group `resource` or `func` is acknowledged after every listener has taken it in, and only
 * if there is a listener. Messages of other groups are handed over and not acknowledged.
 */
export class HubLink {
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

  /** Called at every new connection; when connected already, called soon for that one too. */
  onConnected(listener: () => void): Unsubscribe {
    const present = this.#connection;
    if (present !== undefined) queueMicrotask(() => this.#connection === present && listener());
    return this.#connected.add(listener);
  }

  onDisconnected(listener: (reason: string) => void): Unsubscribe {
    return this.#disconnected.add(listener);
  }

  /** Every message that is not the answer to a pending `request`; late answers (with their `parentId`) come here too. */
  onMessage(listener: MessageListener): Unsubscribe {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Queues the message and returns at once. Throws `HUB_NOT_CONNECTED` while there is no connection,
   * and `HUB_QUEUE_FULL` when the cloud does not take messages as fast as they are made: keep it and try later.
   */
  send(message: Message): void {
    required(this.#connection).send(message);
  }

  /**
   * Sends a message that the cloud does not answer, and returns when it has left for the network. Throws as `send` does,
   * and `HUB_NOT_CONNECTED` when the connection ends before.
   */
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

  /**
   * Sends the message and waits for the one whose parent it is. Throws as `send` does, `HUB_NOT_CONNECTED` when the
   * connection ends before, `TIMED_OUT` after `timeoutMs`. The answer is not acknowledged: see `acknowledge`.
   */
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

  /** Says that an answer got by `request` is safe on this node. Does nothing once the connection it came by has ended. */
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

/** The requests that wait for their answer, found again by the id they were sent with. */
function pendingRequests() {
  const waiting = new Map<string, PromiseWithResolvers<Message>>();
  return {
    /** Waits for the answer to `message`; the message itself is not sent here. */
    async wait(message: Message, timeoutMs: number, signal = new AbortController().signal): Promise<Message> {
      const { header, route } = message;
      const answer = Promise.withResolvers<Message>();
      waiting.set(header.id, answer);
      const action = `get an answer to "${route.operation} ${route.resource}"`;
      const hint = 'Check that the cloud is up and its Kubernetes API answers.';
      return withDeadline(async () => answer.promise, { limitMs: timeoutMs, action, hint }, signal).finally(() =>
        waiting.delete(header.id),
      );
    },
    /** Gives an answer to the request that waits for it; false if none does. */
    answer(message: Message): boolean {
      const caller = waiting.get(message.header.parentId ?? '');
      caller?.resolve(message);
      return caller !== undefined;
    },
    fail: (message: Message, reason: unknown) => waiting.get(message.header.id)?.reject(reason),
    failAll(reason: unknown): void {
      for (const { reject } of waiting.values()) reject(reason);
      waiting.clear();
    },
  };
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
