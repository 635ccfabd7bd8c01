import { cloudDestinationOf, decodeMessage, type Message } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import type { RawData } from 'ws';
import { acknowledge, refuse } from './delivery-window.ts';
import type { HubState } from './hub-state.ts';
import { resumeInflow, spendAllowance } from './inflow.ts';
import { pump } from './outflow.ts';
import type { Session } from './session.ts';

const WARNING_EVERY_MS = 60_000;

/** Deals with one frame of a node. Returns why the node has to go, if it sent what cannot be read. */
export function receive(hub: HubState, session: Session, data: RawData): string | undefined {
  hub.counts.received += 1;
  session.heardAt = hub.now();
  const message = read(data);
  if (typeof message === 'string') return message;
  dispatch(hub, session, message);
  return undefined;
}

function read(data: RawData): Message | string {
  try {
    return decodeMessage(toBytes(data));
  } catch (error) {
    if (error instanceof OperatorError) return error.message;
    throw error;
  }
}

function toBytes(data: RawData): Uint8Array {
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  return Array.isArray(data) ? Buffer.concat(data) : data;
}

function dispatch(hub: HubState, session: Session, message: Message): void {
  const destination = cloudDestinationOf(message);
  // What the hub itself has asked for costs the node nothing; everything else does, whatever it says.
  if (destination === 'acknowledgement' && takeAcknowledgement(hub, session, message)) return;
  if (destination === 'forged') reportForgery(hub, session, message);
  else if (destination !== 'keepalive' && !(destination === 'refusal' && takeRefusal(hub, session, message))) {
    passOn(hub, session, message);
  }
  slowDown(hub, session);
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
  if (session.heardAt < session.nextWarningAt) return;
  session.nextWarningAt = session.heardAt + WARNING_EVERY_MS;
  hub.log.warn('Dropped a message that claims to come from the cloud', { node: session.node, source: route.source });
}

function passOn(hub: HubState, session: Session, message: Message): void {
  session.unfinished += hub.messages.tell([session.node, message], () => {
    session.unfinished -= 1;
    if (!resumeInflow(session, hub.limits, hub.now())) hub.paused.delete(session);
  });
}

function slowDown(hub: HubState, session: Session): void {
  if (!spendAllowance(session, hub.limits, session.heardAt) || session.socket.isPaused) return;
  hub.counts.throttled += 1;
  hub.paused.add(session);
  session.socket.pause();
}

function shortened(content: Message['content']): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return text.slice(0, 500);
}
