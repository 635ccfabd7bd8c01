import type { HubCounts } from './hub-counts.ts';
import type { HubLimits } from './hub-limits.ts';
import { isIdle, take } from './delivery-window.ts';
import type { MessageEncoder } from './encoded-messages.ts';
import type { Session } from './session.ts';

/** What sending needs. */
export interface Outflow {
  readonly encode: MessageEncoder;
  readonly limits: HubLimits;
  readonly counts: HubCounts;
}

const AS_TEXT = { binary: false };

/** Sends of a node's deliveries what may be sent now; returns whether anything is left to look after. */
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
