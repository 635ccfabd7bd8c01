import type { WebSocket } from 'ws';
import { type AdmittedNode, CLOSE_CODES } from './session.ts';
import { type HubCounts, type HubLimits, type HubOptions, newHubState } from './hub-state.ts';
import { type NodeSessions, nodeSessions } from './node-sessions.ts';
import {
  beginSession,
  closeGradually,
  endOverdueSessions,
  endRevokedSessions,
  endSession,
  FAREWELL_MS,
  tick,
} from './session-life.ts';

/** The nodes' connections, whoever accepts them. */
export interface Hub {
  readonly sessions: NodeSessions;
  readonly counts: HubCounts;
  /** May be changed while the hub runs. */
  readonly limits: HubLimits;
  /** How many nodes are connected. */
  connected(): number;
  /** How many objects are on their way to nodes. */
  pending(): number;
  /** Takes over an open connection of the node that the certificate names. */
  accept(node: AdmittedNode, socket: WebSocket): void;
  /** Ends the sessions of certificates that are revoked. */
  endRevoked(isRevoked: (node: string, keyHash: string) => boolean): void;
  /** Sends every node away, a few at a time, so that they do not all come back at once. */
  close(signal: AbortSignal): Promise<void>;
}

const TICK_MS = 250;
const TICKS_PER_LOOK = 4;

/** Opens a hub without connections. One timer serves all of them: the few that need it often, all of them seldom. */
export function openHub(options: HubOptions): Hub {
  const hub = newHubState(options);
  let ticks = 0;
  let closing = false;
  const timer = setInterval(() => {
    ticks += 1;
    tick(hub, hub.now());
    if (ticks % TICKS_PER_LOOK === 0) endOverdueSessions(hub, hub.now());
  }, TICK_MS);
  return {
    sessions: nodeSessions(hub),
    counts: hub.counts,
    limits: hub.limits,
    connected: () => hub.sessions.size,
    pending: () => [...hub.busy].reduce((sum, { window }) => sum + (window?.entries.size ?? 0), 0),
    accept(node, socket) {
      if (closing) sendAway(socket);
      else beginSession(hub, node, socket);
    },
    endRevoked: (isRevoked) => endRevokedSessions(hub, isRevoked),
    async close(signal) {
      closing = true;
      await closeGradually(
        [...hub.sessions.values()],
        (session, code, reason) => endSession(hub, session, code, reason),
        signal,
      );
      clearInterval(timer);
    },
  };
}

/** A node that was let in while the doors were closing. */
function sendAway(socket: WebSocket): void {
  socket.on('error', () => socket.terminate());
  socket.close(CLOSE_CODES.restart, 'the cloud restarts');
  setTimeout(() => socket.terminate(), FAREWELL_MS).unref();
}
