import type { HubState } from './hub-state.ts';
import type { Session } from './session.ts';

/** What deciding about a node's messages needs. */
export type Inflow = Pick<HubState, 'limits' | 'unfinishedBytes'>;

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
