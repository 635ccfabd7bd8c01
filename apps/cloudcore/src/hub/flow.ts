import { isIdle, take } from './delivery-window.ts';
import type { HubCounts, HubLimits, HubState } from './hub-state.ts';
import type { MessageEncoder, Session } from './session.ts';

/** What deciding about a node's messages needs. */
type Inflow = Pick<HubState, 'limits' | 'unfinishedBytes'>;

/** What a message costs the node that sent it. */
export interface MessageCost {
  readonly messages: 0 | 1;
  readonly bytes: number;
}

/** Charges a message to what the node may send; returns whether the node must not be read from for now. */
export function spendAllowance(session: Session, hub: Inflow, cost: MessageCost, now: number): boolean {
  refill(session, hub, now);
  session.allowance -= cost.messages;
  session.byteAllowance -= cost.bytes;
  return isExhausted(session, hub);
}

/** Reads from a paused node again if its allowance permits; returns whether it stays paused. */
export function resumeInflow(session: Session, hub: Inflow, now: number): boolean {
  if (!session.socket.isPaused) return false;
  // A node that is not read from cannot be blamed for its silence.
  session.heardAt = now;
  refill(session, hub, now);
  if (isExhausted(session, hub)) return true;
  session.socket.resume();
  return false;
}

function isExhausted({ allowance, byteAllowance, unfinished, unfinishedBytes }: Session, hub: Inflow): boolean {
  const { limits } = hub;
  if (allowance < 1 || byteAllowance < 0 || unfinished >= limits.unfinished) return true;
  // When all nodes together use the memory up, a node without unfinished messages is still served.
  const share = hub.unfinishedBytes > limits.allUnfinishedBytes ? 0 : limits.unfinishedBytes;
  return unfinishedBytes > share;
}

function refill(session: Session, { limits }: Inflow, now: number): void {
  const seconds = (now - session.allowanceAt) / 1_000;
  session.allowance = Math.min(limits.messageBurst, session.allowance + seconds * limits.messagesPerSecond);
  session.byteAllowance = Math.min(limits.byteBurst, session.byteAllowance + seconds * limits.bytesPerSecond);
  session.allowanceAt = now;
}

/** What sending needs. */
export interface Outflow {
  readonly encode: MessageEncoder;
  readonly limits: HubLimits;
  readonly counts: HubCounts;
}

const AS_TEXT = { binary: false };

/** Sends of a node's deliveries what may be sent now; returns whether anything is left to manage. */
export function pump(session: Session, { encode, limits, counts }: Outflow, now: number): boolean {
  const { window, socket } = session;
  if (window === undefined) return false;
  while (socket.bufferedAmount < limits.bufferedBytes) {
    const parcel = take(window, now);
    if (parcel === undefined) break;
    socket.send(encode(parcel.message), AS_TEXT);
    counts.sent += 1;
  }
  if (isIdle(window)) session.window = undefined;
  return session.window !== undefined;
}

/** Sends bytes once; returns whether the node had room for them. */
export function sendOnce({ socket }: Session, bytes: Buffer, { limits, counts }: Outflow): boolean {
  if (socket.bufferedAmount > limits.dropBytes) return false;
  socket.send(bytes, AS_TEXT);
  counts.sent += 1;
  return true;
}

/** Whether a node has left its bytes unread for too long. */
export function isTooSlow(session: Session, { bufferedBytes, slowMs }: HubLimits, now: number): boolean {
  if (session.socket.bufferedAmount < bufferedBytes) {
    session.slowSince = undefined;
    return false;
  }
  session.slowSince ??= now;
  return now - session.slowSince > slowMs;
}
