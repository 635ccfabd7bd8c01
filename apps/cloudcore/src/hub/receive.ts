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
import { acknowledge, refuse } from './delivery-window.ts';
import type { HubState } from './hub-state.ts';
import { type MessageCost, pump, resumeInflow, spendAllowance } from './flow.ts';
import type { Session } from './session.ts';

const WARNING_EVERY_MS = 60_000;

/** Deals with one frame of a node. Returns why the node has to go, if it sent what cannot be read. */
export function receive(hub: HubState, session: Session, data: RawData): string | undefined {
  hub.counts.received += 1;
  session.heardAt = hub.now();
  const bytes = toBytes(data);
  const message = isOversized(bytes) ? undefined : read(bytes);
  if (typeof message === 'string') return message;
  const isSound = message !== undefined && bytes.length <= nodeMessageLimit(message);
  if (!isSound) reportOversized(hub, session, bytes.length);
  const isExpected = isSound && dispatch(hub, session, message, bytes.length);
  slowDown(hub, session, { messages: isExpected ? 0 : 1, bytes: bytes.length });
  return undefined;
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

/** Returns whether the hub has asked for the message, so that it does not count as one of the node's own. */
function dispatch(hub: HubState, session: Session, message: Message, bytes: number): boolean {
  const destination = cloudDestinationOf(message);
  if (destination === 'acknowledgement' && takeAcknowledgement(hub, session, message)) return true;
  if (destination === 'forged') reportForgery(hub, session, message);
  else if (destination !== 'keepalive' && !(destination === 'refusal' && takeRefusal(hub, session, message))) {
    passOn(hub, session, message, bytes);
  }
  return false;
}

function takeAcknowledgement(hub: HubState, session: Session, { header }: Message): boolean {
  if (session.window === undefined) return false;
  const parcel = acknowledge(session.window, header.parentId ?? '', session.heardAt);
  if (parcel === undefined) return false;
  hub.counts.acknowledged += 1;
  hub.acknowledged.tell([session.node, parcel.key, parcel.resourceVersion, parcel.message]);
  keepPumping(hub, session);
  return true;
}

function takeRefusal(hub: HubState, session: Session, { header, content }: Message): boolean {
  if (session.window === undefined) return false;
  const parcel = refuse(session.window, header.parentId ?? '', session.heardAt);
  if (parcel === undefined) return false;
  hub.counts.rejected += 1;
  const { resource } = parcel.message.route;
  hub.log.warn('A node could not take an object', { node: session.node, resource, reason: shortened(content) });
  keepPumping(hub, session);
  return true;
}

function keepPumping(hub: HubState, session: Session): void {
  if (!pump(session, hub, session.heardAt)) hub.busy.delete(session);
}

/** A node that speaks for a module of the cloud is not believed. */
function reportForgery(hub: HubState, session: Session, { route }: Message): void {
  hub.counts.forged += 1;
  warn(hub, session, 'Dropped a message that claims to come from the cloud', { source: route.source });
}

function reportOversized(hub: HubState, session: Session, bytes: number): void {
  hub.counts.oversized += 1;
  warn(hub, session, 'Dropped a message that is too large for its kind', { bytes });
}

/** A node that misbehaves must not fill the log. */
function warn(hub: HubState, session: Session, text: string, fields: Readonly<Record<string, string | number>>): void {
  if (session.heardAt < session.nextWarningAt) return;
  session.nextWarningAt = session.heardAt + WARNING_EVERY_MS;
  hub.log.warn(text, { node: session.node, ...fields });
}

function passOn(hub: HubState, session: Session, message: Message, bytes: number): void {
  const count = hub.messages.tell([session.node, message], () => {
    addUnfinished(hub, session, -1, -bytes);
    if (!resumeInflow(session, hub, hub.now())) hub.paused.delete(session);
  });
  addUnfinished(hub, session, count, count * bytes);
}

function addUnfinished(hub: HubState, session: Session, count: number, bytes: number): void {
  session.unfinished += count;
  session.unfinishedBytes += bytes;
  hub.unfinishedBytes += bytes;
}

function slowDown(hub: HubState, session: Session, cost: MessageCost): void {
  if (!spendAllowance(session, hub, cost, session.heardAt) || session.socket.isPaused) return;
  hub.counts.throttled += 1;
  hub.paused.add(session);
  session.socket.pause();
}

function shortened(content: Message['content']): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return text.slice(0, 500);
}
