import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { restart } from './delivery-window.ts';
import { isTooSlow, pump, resumeInflow } from './flow.ts';
import type { HubState } from './hub-state.ts';
import { receive } from './receive.ts';
import { type AdmittedNode, CLOSE_CODES, type CloseCode, newSession, type Session } from './session.ts';

/** A node has connected. An older connection of the same node makes way; what was on its way there is sent again. */
export function beginSession(hub: HubState, admitted: AdmittedNode, socket: WebSocket): void {
  const { node } = admitted;
  const session = newSession(admitted, socket, hub.limits, hub.now());
  const older = hub.sessions.get(node);
  if (older !== undefined) replace(hub, older, session);
  hub.sessions.set(node, session);
  hub.counts.connections += 1;
  hub.log.info('Node connected', { node, nodes: hub.sessions.size });
  listen(hub, session);
  hub.connected.tell([node]);
  if (pump(session, hub, hub.now())) hub.busy.add(session);
}

/** Ends a session and sends the node the reason. A node that does not close its end in time is cut off. */
export function endSession(hub: HubState, session: Session, code: CloseCode, reason: string): void {
  forgetSession(hub, session, reason);
  session.socket.resume();
  session.socket.close(code, reason);
  setTimeout(() => session.socket.terminate(), FAREWELL_MS).unref();
}

/** Ends the session of a node that would not read the reason any more. */
function abortSession(hub: HubState, session: Session, reason: string): void {
  forgetSession(hub, session, reason);
  session.socket.terminate();
}

function replace(hub: HubState, older: Session, session: Session): void {
  hub.counts.replacements += 1;
  session.window = older.window;
  older.window = undefined;
  if (session.window !== undefined) restart(session.window);
  endSession(hub, older, CLOSE_CODES.policy, 'replaced by a newer connection of the same node');
}

function listen(hub: HubState, session: Session): void {
  const { node, socket } = session;
  socket.on('message', (data) => {
    // Late words of a session that is over are no one's.
    if (hub.sessions.get(node) !== session) return;
    const problem = receive(hub, session, data);
    if (problem === undefined) return;
    hub.counts.evictions += 1;
    endSession(hub, session, CLOSE_CODES.unreadable, problem);
  });
  socket.on('error', (error) => hub.log.warn('A connection failed', { node, error: error.message }));
  socket.on('close', (code) => forgetSession(hub, session, `the connection was closed (${code})`));
}

/** However a session ends, it ends once: a newer one of the same node stays untouched. */
function forgetSession(hub: HubState, session: Session, reason: string): void {
  hub.busy.delete(session);
  hub.paused.delete(session);
  session.window = undefined;
  if (hub.sessions.get(session.node) !== session) return;
  hub.sessions.delete(session.node);
  hub.log.info('Node disconnected', { node: session.node, reason, nodes: hub.sessions.size });
  hub.disconnected.tell([session.node]);
}

const STEP_MS = 50;
const MS_PER_NODE = 5;
const LONGEST_MS = 5_000;
/** How long someone who is sent away has for going. */
export const FAREWELL_MS = 2_000;

/** Ends one session for a reason. */
type EndSession = (session: Session, code: CloseCode, reason: string) => void;

/** Sends nodes away a few at a time, then cuts those that do not go. Aborting ends the patience, not the work. */
export async function closeGradually(
  sessions: readonly Session[],
  end: EndSession,
  signal: AbortSignal,
): Promise<void> {
  const steps = Math.ceil(Math.min(LONGEST_MS, sessions.length * MS_PER_NODE) / STEP_MS);
  const perStep = Math.ceil(sessions.length / Math.max(1, steps));
  for (let index = 0; index < sessions.length; index += perStep) {
    const some = sessions.slice(index, index + perStep);
    for (const session of some) end(session, CLOSE_CODES.restart, 'the cloud restarts');
    await pause(STEP_MS, signal);
  }
  await untilClosed(sessions, signal);
  for (const { socket } of sessions) socket.terminate();
}

async function untilClosed(sessions: readonly Session[], signal: AbortSignal): Promise<void> {
  for (let waited = 0; waited < FAREWELL_MS && !signal.aborted; waited += STEP_MS) {
    if (sessions.every(({ socket }) => socket.readyState === socket.CLOSED)) return;
    await pause(STEP_MS, signal);
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}

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
