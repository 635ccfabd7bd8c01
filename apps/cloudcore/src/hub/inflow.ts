import type { HubLimits } from './hub-limits.ts';
import type { Session } from './session.ts';

/** Takes one message off what the node may send; returns whether it has to stop for a while now. */
export function spendAllowance(session: Session, limits: HubLimits, now: number): boolean {
  refill(session, limits, now);
  session.allowance -= 1;
  return isExhausted(session, limits);
}

/** Reads on from a node that had to stop if there is room for it again; returns whether it still has to wait. */
export function resumeInflow(session: Session, limits: HubLimits, now: number): boolean {
  if (!session.socket.isPaused) return false;
  // A node we do not listen to cannot be blamed for its silence.
  session.heardAt = now;
  refill(session, limits, now);
  if (isExhausted(session, limits)) return true;
  session.socket.resume();
  return false;
}

function isExhausted({ allowance, unfinished }: Session, limits: HubLimits): boolean {
  return allowance < 1 || unfinished >= limits.unfinished;
}

function refill(session: Session, { messagesPerSecond, messageBurst }: HubLimits, now: number): void {
  const earned = ((now - session.allowanceAt) / 1_000) * messagesPerSecond;
  session.allowance = Math.min(messageBurst, session.allowance + earned);
  session.allowanceAt = now;
}
