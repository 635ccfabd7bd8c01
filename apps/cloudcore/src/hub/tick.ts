import { CLOSE_CODES } from './close-codes.ts';
import type { HubState } from './hub-state.ts';
import { resumeInflow } from './inflow.ts';
import { isTooSlow, pump } from './outflow.ts';
import { abortSession, endSession } from './session-life.ts';
import type { Session } from './session.ts';

/** What a short time brings about: repetitions, and the end of pauses. */
export function tick(hub: HubState, now: number): void {
  for (const session of hub.busy) if (!pump(session, hub, now)) hub.busy.delete(session);
  for (const session of hub.paused) if (!resumeInflow(session, hub, now)) hub.paused.delete(session);
}

/** What a longer time brings about: the end of sessions whose node is gone. */
export function endOverdueSessions(hub: HubState, now: number): void {
  for (const session of hub.sessions.values()) endOverdue(hub, session, now);
}

function endOverdue(hub: HubState, session: Session, now: number): void {
  if (now > session.expiresAt) return endExpired(hub, session);
  const silent = now - session.heardAt > hub.limits.silenceMs;
  if (!silent && !isTooSlow(session, hub.limits, now)) return;
  hub.counts.evictions += 1;
  if (silent) endSession(hub, session, CLOSE_CODES.policy, `no keepalive for ${hub.limits.silenceMs / 1_000} seconds`);
  else abortSession(hub, session, 'it reads too slowly');
}

/** Ends the sessions of certificates that are revoked. */
export function endRevokedSessions(hub: HubState, isRevoked: (node: string, keyHash: string) => boolean): void {
  for (const session of hub.sessions.values()) {
    if (!isRevoked(session.node, session.keyHash)) continue;
    hub.counts.evictions += 1;
    endSession(hub, session, CLOSE_CODES.policy, 'the certificate is revoked');
  }
}

function endExpired(hub: HubState, session: Session): void {
  hub.counts.evictions += 1;
  endSession(hub, session, CLOSE_CODES.policy, 'the certificate has expired');
}
