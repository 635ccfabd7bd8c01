import type { WebSocket } from 'ws';
import { FAREWELL_MS } from './close-gradually.ts';
import { type HubOptions, newHubContext } from './hub-context.ts';
import type { HubCounts } from './hub-counts.ts';
import type { HubLimits } from './hub-limits.ts';
import { Inflow } from './inflow.ts';
import { MessageReceiver } from './message-receiver.ts';
import { ConnectedNodes, type NodeSessions } from './node-sessions.ts';
import { Outflow } from './outflow.ts';
import { SessionTable } from './session-table.ts';
import { type AdmittedNode, CLOSE_CODES } from './session.ts';

const TICK_MS = 250;
const TICKS_PER_LOOK = 4;

/** The nodes' connections. One timer serves all of them: those with work left every tick, all of them every second. */
export class Hub {
  readonly sessions: NodeSessions;
  readonly counts: HubCounts;
  /** May be changed while the hub runs. */
  readonly limits: HubLimits;
  readonly #now: () => number;
  readonly #inflow: Inflow;
  readonly #outflow: Outflow;
  readonly #table: SessionTable;
  readonly #timer: NodeJS.Timeout;
  #ticks = 0;
  #closing = false;

  /** A hub without connections. Its timer runs until it is closed. */
  constructor(options: HubOptions) {
    const context = newHubContext(options);
    this.counts = context.counts;
    this.limits = context.limits;
    this.#now = context.now;
    this.#inflow = new Inflow(context);
    this.#outflow = new Outflow(context);
    const receiver = new MessageReceiver(context, this.#inflow, this.#outflow);
    this.#table = new SessionTable(context, { inflow: this.#inflow, outflow: this.#outflow, receiver });
    this.sessions = new ConnectedNodes(context, this.#table, this.#outflow);
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  /** How many nodes are connected. */
  connected(): number {
    return this.#table.size;
  }

  /** How many objects are on their way to nodes. */
  pending(): number {
    return this.#outflow.pending;
  }

  /** Takes over an open connection of the node that the certificate names. */
  accept(node: AdmittedNode, socket: WebSocket): void {
    if (this.#closing) sendAway(socket);
    else this.#table.begin(node, socket);
  }

  /** Ends the sessions of certificates that are revoked. */
  endRevoked(isRevoked: (node: string, keyHash: string) => boolean): void {
    this.#table.endRevoked(isRevoked);
  }

  /** Closes all connections, a few at a time, so that the nodes do not all come back at once. */
  async close(signal: AbortSignal): Promise<void> {
    this.#closing = true;
    await this.#table.close(signal);
    clearInterval(this.#timer);
  }

  #tick(): void {
    this.#ticks += 1;
    const now = this.#now();
    this.#outflow.pumpAll(now);
    this.#inflow.resumeAll(now);
    if (this.#ticks % TICKS_PER_LOOK === 0) this.#table.endOverdue(this.#now());
  }
}

/** A node that connects while the hub closes is asked to connect again. */
function sendAway(socket: WebSocket): void {
  socket.on('error', () => socket.terminate());
  socket.close(CLOSE_CODES.restart, 'the cloud restarts');
  setTimeout(() => socket.terminate(), FAREWELL_MS).unref();
}
