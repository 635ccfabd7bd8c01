import type { WebSocket } from 'ws';
import { CLOSE_CODES, type CloseCode } from './close-codes.ts';
import { restart } from './delivery-window.ts';
import type { HubState } from './hub-state.ts';
import { pump } from './outflow.ts';
import { receive } from './receive.ts';
import { newSession, type AdmittedNode, type Session } from './session.ts';
import { FAREWELL_MS } from './shutdown.ts';

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
export function abortSession(hub: HubState, session: Session, reason: string): void {
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
