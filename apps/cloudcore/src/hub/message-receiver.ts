import {
  cloudDestinationOf,
  decodeMessage,
  MAX_NODE_MESSAGE_VALUES,
  nodeMessageLimit,
  peekRoute,
  SMALL_MESSAGE_BYTES,
  type Message,
} from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import type { RawData } from 'ws';
import type { HubContext } from './hub-context.ts';
import type { Inflow } from './inflow.ts';
import type { Outflow } from './outflow.ts';
import type { Session } from './session.ts';

const WARNING_EVERY_MS = 60_000;

/** Reads what nodes send, and hands it to those it is for. */
export class MessageReceiver {
  readonly #context: HubContext;
  readonly #inflow: Inflow;
  readonly #outflow: Outflow;

  constructor(context: HubContext, inflow: Inflow, outflow: Outflow) {
    this.#context = context;
    this.#inflow = inflow;
    this.#outflow = outflow;
  }

  /** Deals with one frame of a node. Returns why the session must end, if the node sent what cannot be read. */
  receive(session: Session, data: RawData): string | undefined {
    this.#context.counts.received += 1;
    session.heardAt = this.#context.now();
    const bytes = toBytes(data);
    const message = isOversized(bytes) ? undefined : read(bytes);
    if (typeof message === 'string') return message;
    const isSound = message !== undefined && bytes.length <= nodeMessageLimit(message);
    if (!isSound) this.#reportOversized(session, bytes.length);
    const isExpected = isSound && this.#dispatch(session, message, bytes.length);
    this.#inflow.charge(session, { messages: isExpected ? 0 : 1, bytes: bytes.length });
    return undefined;
  }

  /** Returns whether the hub has asked for the message, so that it does not count as one of the node's own. */
  #dispatch(session: Session, message: Message, bytes: number): boolean {
    const destination = cloudDestinationOf(message);
    if (destination === 'acknowledgement' && this.#takeAcknowledgement(session, message)) return true;
    if (destination === 'forged') this.#reportForgery(session, message);
    else if (destination !== 'keepalive' && !(destination === 'refusal' && this.#takeRefusal(session, message))) {
      this.#passOn(session, message, bytes);
    }
    return false;
  }

  #takeAcknowledgement(session: Session, { header }: Message): boolean {
    const version = session.window?.acknowledge(header.parentId ?? '', session.heardAt);
    if (version === undefined) return false;
    const { acknowledged, counts } = this.#context;
    counts.acknowledged += 1;
    acknowledged.tell([session.node, version.key, version.resourceVersion, version.message]);
    this.#outflow.pump(session, session.heardAt);
    return true;
  }

  #takeRefusal(session: Session, { header, content }: Message): boolean {
    const version = session.window?.refuse(header.parentId ?? '', session.heardAt);
    if (version === undefined) return false;
    const { counts, log } = this.#context;
    counts.rejected += 1;
    const { resource } = version.message.route;
    log.warn('A node could not take an object', { node: session.node, resource, reason: shortened(content) });
    this.#outflow.pump(session, session.heardAt);
    return true;
  }

  #passOn(session: Session, message: Message, bytes: number): void {
    const finished = (): void => this.#inflow.finish(session, bytes);
    const count = this.#context.messages.tell([session.node, message], finished);
    this.#inflow.begin(session, count, bytes);
  }

  /** A message from a node that names a module of the cloud as its source is dropped. */
  #reportForgery(session: Session, { route }: Message): void {
    this.#context.counts.forged += 1;
    this.#warn(session, 'Dropped a message that claims to come from the cloud', { source: route.source });
  }

  #reportOversized(session: Session, bytes: number): void {
    this.#context.counts.oversized += 1;
    this.#warn(session, 'Dropped a message that is too large for its kind', { bytes });
  }

  /** A node that misbehaves must not fill the log. */
  #warn(session: Session, text: string, fields: Readonly<Record<string, string | number>>): void {
    if (session.heardAt < session.nextWarningAt) return;
    session.nextWarningAt = session.heardAt + WARNING_EVERY_MS;
    this.#context.log.warn(text, { node: session.node, ...fields });
  }
}

/** Judged before the message is parsed; a sender that hides the route behind the content may send small messages only. */
function isOversized(bytes: Uint8Array): boolean {
  if (bytes.length <= SMALL_MESSAGE_BYTES) return false;
  const route = peekRoute(bytes);
  return route === undefined || bytes.length > nodeMessageLimit({ route });
}

function read(bytes: Uint8Array): Message | string {
  try {
    return decodeMessage(bytes, MAX_NODE_MESSAGE_VALUES);
  } catch (error) {
    if (error instanceof OperatorError) return error.message;
    throw error;
  }
}

function toBytes(data: RawData): Uint8Array {
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  return Array.isArray(data) ? Buffer.concat(data) : data;
}

function shortened(content: Message['content']): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return text.slice(0, 500);
}
