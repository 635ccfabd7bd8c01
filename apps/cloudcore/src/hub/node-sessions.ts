import type { Message } from '@fenestra/contracts';
import type { HubContext } from './hub-context.ts';
import type { Outflow } from './outflow.ts';
import type { SessionTable } from './session-table.ts';
import { CLOSE_CODES } from './session.ts';

/** One version of one object on its way to a node. */
export interface Delivery {
  /** What the object is known by as long as it lives: its uid. An answer to a question has its own key. */
  readonly key: string;
  /** Kubernetes' version of the object: a decimal number. */
  readonly resourceVersion: string;
  /**
   * What the node gets, as it is: `route.resource` never has the `node/NAME/` prefix that upstream uses inside its cloud.
   * The same message may be delivered to many nodes: it is encoded once, so do not change it afterwards.
   */
  readonly message: Message;
}

/** Hears of an acknowledged version of an object. */
type AcknowledgedCallback = (node: string, key: string, resourceVersion: string, message: Message) => void;

/** Undoes a subscription. */
export type Unsubscribe = () => void;

/**
 * The nodes connected to this replica. What is on its way to a node is forgotten when the node goes, and sent again
 * when a newer connection of the same node replaces the older one. Anyone who delivers begins again when a node connects,
 * from what the Kubernetes API remembers: the node may have lost everything.
 * Callbacks run in order of subscription; one that throws is logged and harms no one.
 */
export interface NodeSessions {
  /** A node has connected. A second connection of the same node is a disconnection and a connection. */
  onNodeConnected(callback: (node: string) => void): Unsubscribe;
  onNodeDisconnected(callback: (node: string) => void): Unsubscribe;
  /** Names of the nodes connected right now. */
  nodes(): readonly string[];
  isConnected(node: string): boolean;
  /** SHA-256 of the public key that a connected node has proved, hex. */
  keyOf(node: string): string | undefined;
  /**
   * Sends until the node acknowledges: later versions replace earlier ones of the same key, several objects are
   * under way at once, and an object that is never acknowledged is repeated ever more seldom without delaying others.
   * The same or a lower version is ignored while one is on its way, except that a `delete` beats everything.
   * Does nothing if the node is not connected.
   */
  deliver(node: string, delivery: Delivery): void;
  /** Stops delivering an object. What was sent already may still arrive, but is no longer reported as acknowledged. */
  forget(node: string, key: string): void;
  /** Sends once, without waiting for an answer. Dropped if the node is gone, and with a warning if it reads far too slowly. */
  send(node: string, message: Message): void;
  /**
   * A node said something that is not the hub's own business (keepalives and acknowledgements are).
   * `route.resource` is as the node sent it, without a `node/NAME/` prefix; `node` is the certificate's name.
   * The promise says when the message is dealt with: a node with too many unfinished messages is not read from.
   */
  onMessage(callback: (node: string, message: Message) => void | Promise<void>): Unsubscribe;
  /** The node has taken this version of the object; `message` is the one it answered. */
  onAcknowledged(callback: AcknowledgedCallback): Unsubscribe;
  /** Ends a node's session, telling it why; for instance when its Node object was deleted. */
  disconnect(node: string, reason: string): void;
}

/** The hub's connected nodes. */
export class ConnectedNodes implements NodeSessions {
  readonly #context: HubContext;
  readonly #table: SessionTable;
  readonly #outflow: Outflow;

  constructor(context: HubContext, table: SessionTable, outflow: Outflow) {
    this.#context = context;
    this.#table = table;
    this.#outflow = outflow;
  }

  onNodeConnected(callback: (node: string) => void): Unsubscribe {
    return this.#context.connected.add(callback);
  }

  onNodeDisconnected(callback: (node: string) => void): Unsubscribe {
    return this.#context.disconnected.add(callback);
  }

  onMessage(callback: (node: string, message: Message) => void | Promise<void>): Unsubscribe {
    return this.#context.messages.add(callback);
  }

  onAcknowledged(callback: AcknowledgedCallback): Unsubscribe {
    return this.#context.acknowledged.add(callback);
  }

  nodes(): readonly string[] {
    return this.#table.nodes();
  }

  isConnected(node: string): boolean {
    return this.#table.get(node) !== undefined;
  }

  keyOf(node: string): string | undefined {
    return this.#table.get(node)?.keyHash;
  }

  deliver(node: string, delivery: Delivery): void {
    const session = this.#table.get(node);
    if (session !== undefined) this.#outflow.deliver(session, delivery);
  }

  forget(node: string, key: string): void {
    const session = this.#table.get(node);
    if (session !== undefined) this.#outflow.forget(session, key);
  }

  send(node: string, message: Message): void {
    const session = this.#table.get(node);
    if (session !== undefined) this.#outflow.send(session, message);
  }

  disconnect(node: string, reason: string): void {
    const session = this.#table.get(node);
    if (session !== undefined) this.#table.end(session, CLOSE_CODES.policy, reason);
  }
}
