import type { WebSocket } from 'ws';
import { closeGradually, FAREWELL_MS } from './close-gradually.ts';
import type { HubContext } from './hub-context.ts';
import type { Inflow } from './inflow.ts';
import type { MessageReceiver } from './message-receiver.ts';
import type { Outflow } from './outflow.ts';
import { type AdmittedNode, CLOSE_CODES, type CloseCode, newSession, type Session } from './session.ts';

/** What a session's messages go through. */
interface SessionTraffic {
  readonly inflow: Inflow;
  readonly outflow: Outflow;
  readonly receiver: MessageReceiver;
}

/** The sessions of the connected nodes, one of each node, from their beginning to their end. */
export class SessionTable {
  readonly #context: HubContext;
  readonly #traffic: SessionTraffic;
  readonly #sessions = new Map<string, Session>();

  constructor(context: HubContext, traffic: SessionTraffic) {
    this.#context = context;
    this.#traffic = traffic;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Names of the connected nodes. */
  nodes(): readonly string[] {
    return [...this.#sessions.keys()];
  }

  get(node: string): Session | undefined {
    return this.#sessions.get(node);
  }

  /** A node has connected. An older connection of the same node is closed; what was on its way there is sent again. */
  begin(admitted: AdmittedNode, socket: WebSocket): void {
    const { connected, counts, limits, log, now } = this.#context;
    const { node } = admitted;
    const session = newSession(admitted, socket, limits, now());
    const older = this.#sessions.get(node);
    if (older !== undefined) this.#replace(older, session);
    this.#sessions.set(node, session);
    counts.connections += 1;
    log.info('Node connected', { node, nodes: this.size });
    this.#listen(session);
    connected.tell([node]);
    this.#traffic.outflow.pump(session, now());
  }

  /** Ends a session and sends the node the reason. A node that does not close its end in time is cut off. */
  end(session: Session, code: CloseCode, reason: string): void {
    this.#remove(session, reason);
    session.socket.resume();
    session.socket.close(code, reason);
    setTimeout(() => session.socket.terminate(), FAREWELL_MS).unref();
  }

  /** Ends the sessions of nodes that are silent or too slow, and of certificates that have expired. */
  endOverdue(now: number): void {
    for (const session of this.#sessions.values()) this.#endIfOverdue(session, now);
  }

  /** Ends the sessions of certificates that are revoked. */
  endRevoked(isRevoked: (node: string, keyHash: string) => boolean): void {
    for (const session of this.#sessions.values()) {
      if (isRevoked(session.node, session.keyHash)) this.#evict(session, 'the certificate is revoked');
    }
  }

  /** Ends all sessions, a few at a time. */
  async close(signal: AbortSignal): Promise<void> {
    const end = (session: Session): void => this.end(session, CLOSE_CODES.restart, 'the cloud restarts');
    await closeGradually([...this.#sessions.values()], end, signal);
  }

  #replace(older: Session, session: Session): void {
    this.#context.counts.replacements += 1;
    session.window = older.window;
    older.window = undefined;
    session.window?.restart();
    this.end(older, CLOSE_CODES.policy, 'replaced by a newer connection of the same node');
  }

  #listen(session: Session): void {
    const { log } = this.#context;
    const { node, socket } = session;
    socket.on('message', (data) => {
      // Messages that arrive after the end of their session are ignored.
      if (this.#sessions.get(node) !== session) return;
      const problem = this.#traffic.receiver.receive(session, data);
      if (problem !== undefined) this.#evict(session, problem, CLOSE_CODES.unreadable);
    });
    socket.on('error', (error) => log.warn('A connection failed', { node, error: error.message }));
    socket.on('close', (code) => this.#remove(session, `the connection was closed (${code})`));
  }

  #endIfOverdue(session: Session, now: number): void {
    const { idleTimeoutMs } = this.#context.limits;
    if (now > session.expiresAt) this.#evict(session, 'the certificate has expired');
    else if (now - session.heardAt > idleTimeoutMs)
      this.#evict(session, `no keepalive for ${idleTimeoutMs / 1_000} seconds`);
    else if (this.#traffic.outflow.isTooSlow(session, now)) this.#abort(session, 'it reads too slowly');
  }

  #evict(session: Session, reason: string, code: CloseCode = CLOSE_CODES.policy): void {
    this.#context.counts.evictions += 1;
    this.end(session, code, reason);
  }

  /** Ends the session of a node that would not read the reason any more. */
  #abort(session: Session, reason: string): void {
    this.#context.counts.evictions += 1;
    this.#remove(session, reason);
    session.socket.terminate();
  }

  /** However a session ends, it ends once: a newer one of the same node stays untouched. */
  #remove(session: Session, reason: string): void {
    const { disconnected, log } = this.#context;
    this.#traffic.outflow.remove(session);
    this.#traffic.inflow.remove(session);
    if (this.#sessions.get(session.node) !== session) return;
    this.#sessions.delete(session.node);
    log.info('Node disconnected', { node: session.node, reason, nodes: this.size });
    disconnected.tell([session.node]);
  }
}
