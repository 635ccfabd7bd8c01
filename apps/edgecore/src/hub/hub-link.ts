import { acknowledge, mustAcknowledge, refuse, type Message } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import type { Logger } from '@fenestra/platform';
import { describeFailure, failureFields } from '../modules/describe-failure.ts';
import type { HubClient, MessageListener, Unsubscribe } from './hub-client.ts';
import type { HubConnection } from './hub-connection.ts';
import { listeners, type Listeners } from './listeners.ts';
import { pendingRequests } from './pending-requests.ts';

/** Above this many messages that are being taken in, no more are read from the cloud. */
const MAX_TAKING_IN = 256;

/** The hub client as modules see it, and the side on which connections are put in and taken away. */
export class HubLink implements HubClient {
  readonly #connected: Listeners<[]>;
  readonly #disconnected: Listeners<[reason: string]>;
  readonly #takers = new Set<MessageListener>();
  readonly #pending = pendingRequests();
  readonly #takeIn: (message: Message) => void;
  #connection: HubConnection | undefined;

  constructor(log: Logger) {
    this.#connected = listeners(log);
    this.#disconnected = listeners(log);
    this.#takeIn = messageIntake(() => this.#connection, this.#takers, log);
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
    acknowledgeIfNeeded(this.#connection, answer);
  }

  /** Makes a new connection the present one. */
  attach(connection: HubConnection): void {
    this.#connection = connection;
    this.#connected.call();
  }

  /** Says that there is no connection any more, and why. */
  detach(reason: string): void {
    if (this.#connection === undefined) return;
    this.#connection = undefined;
    this.#pending.failAll(notConnected());
    this.#disconnected.call(reason);
  }

  /** Takes a message from the present connection. */
  receive(message: Message): void {
    if (!this.#pending.answer(message)) this.#takeIn(message);
  }
}

/** Hands messages to whoever takes them, answers for them, and stops reading while too many are being taken in. */
function messageIntake(
  present: () => HubConnection | undefined,
  takers: ReadonlySet<MessageListener>,
  log: Logger,
): (message: Message) => void {
  let count = 0;
  const finish = (origin: HubConnection | undefined): void => {
    count -= 1;
    if (count === MAX_TAKING_IN / 2) origin?.setReading(true);
  };
  return (message) => {
    const origin = present();
    count += 1;
    if (count === MAX_TAKING_IN) origin?.setReading(false);
    void takeIn(message, takers)
      .then(() => acknowledgeIfNeeded(origin, message))
      .catch((cause: unknown) => refuseIfNeeded(origin, message, cause, log))
      .finally(() => finish(origin));
  };
}

async function takeIn(message: Message, takers: ReadonlySet<MessageListener>): Promise<void> {
  if (takers.size === 0) throw new Error('No module takes messages at the moment');
  await Promise.all([...takers].map(async (taker) => taker(message)));
}

function acknowledgeIfNeeded(connection: HubConnection | undefined, message: Message): void {
  if (mustAcknowledge(message)) connection?.sendUrgent(acknowledge(message));
}

function refuseIfNeeded(connection: HubConnection | undefined, message: Message, cause: unknown, log: Logger): void {
  const { operation, resource } = message.route;
  log.warn('A message from the cloud was not taken in', { operation, resource, ...failureFields(cause) });
  if (mustAcknowledge(message)) connection?.sendUrgent(refuse(message, describeFailure(cause).message));
}

function required(connection: HubConnection | undefined): HubConnection {
  if (connection === undefined) throw notConnected();
  return connection;
}

function notConnected(): OperatorError {
  return new OperatorError('HUB_NOT_CONNECTED', 'Cannot reach the cloud: there is no connection', {
    hint: 'Wait for the agent to connect again; its log says what keeps it from it.',
  });
}
