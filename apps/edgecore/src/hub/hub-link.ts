import { acknowledge, mustAcknowledge, type Message } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import type { Logger } from '@fenestra/platform';
import type { HubClient, MessageListener, Unsubscribe } from './hub-client.ts';
import type { HubConnection } from './hub-connection.ts';
import { listeners, type Listeners } from './listeners.ts';
import { messageIntake, type MessageIntake } from './message-intake.ts';
import { pendingRequests } from './pending-requests.ts';

/** The hub client as modules see it, and the side on which connections are put in and taken away. */
export class HubLink implements HubClient {
  readonly #connected: Listeners<[]>;
  readonly #disconnected: Listeners<[reason: string]>;
  readonly #takers = new Set<MessageListener>();
  readonly #pending = pendingRequests();
  readonly #intake: MessageIntake;
  /** Which connection an answer came by: it is acknowledged on that one only. */
  readonly #origins = new WeakMap<Message, HubConnection>();
  #connection: HubConnection | undefined;

  constructor(log: Logger) {
    this.#connected = listeners(log);
    this.#disconnected = listeners(log);
    this.#intake = messageIntake(this.#takers, log);
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
    this.#takers.add(listener);
    return () => void this.#takers.delete(listener);
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
    hint: 'Wait for the agent to connect again; its log says why it cannot.',
  });
}
