import type { Message } from '@fenestra/contracts';

/** Takes a listener off again. */
export type Unsubscribe = () => void;

/**
 * Takes in one message from the cloud. When it returns or its promise is fulfilled the message is safe on this node and
 * is acknowledged (`response`, `OK`); when it throws the cloud gets an `error` and sends the message again later.
 */
export type MessageListener = (message: Message) => void | Promise<void>;

/**
 * The node's one connection to the cloud. The object exists as long as the agent; the connection behind it comes and goes.
 *
 * Acknowledgements: a message of group `resource` or `func` is acknowledged after every listener has taken it in, and only
 * if there is a listener. Messages of other groups are handed over and not acknowledged.
 */
export interface HubClient {
  readonly connected: boolean;
  /** Called at every new connection; when connected already, called soon for that one too. */
  onConnected(listener: () => void): Unsubscribe;
  onDisconnected(listener: (reason: string) => void): Unsubscribe;
  /** Every message that is not the answer to a pending `request`; late answers (with their `parentId`) come here too. */
  onMessage(listener: MessageListener): Unsubscribe;
  /**
   * Queues the message and returns at once. Throws `HUB_NOT_CONNECTED` while there is no connection,
   * and `HUB_QUEUE_FULL` when the cloud does not take messages as fast as they are made: keep it and try later.
   */
  send(message: Message): void;
  /**
   * Sends a message that the cloud does not answer, and returns when it has left for the network. Throws as `send` does,
   * and `HUB_NOT_CONNECTED` when the connection ends before.
   */
  deliver(message: Message, signal: AbortSignal): Promise<void>;
  /**
   * Sends the message and waits for the one whose parent it is. Throws as `send` does, `HUB_NOT_CONNECTED` when the
   * connection ends in the meantime, `TIMED_OUT` after `timeoutMs`. The answer is not acknowledged: see `acknowledge`.
   */
  request(message: Message, timeoutMs: number, signal?: AbortSignal): Promise<Message>;
  /** Says that an answer got by `request` is safe on this node. Does nothing once the connection it came by has ended. */
  acknowledge(answer: Message): void;
}
