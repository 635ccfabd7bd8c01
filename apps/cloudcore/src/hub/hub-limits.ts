const MEBIBYTE = 1024 * 1024;

/** What one node may cost. */
export interface HubLimits {
  /** A session in which the node has sent nothing for this long is ended. */
  idleTimeoutMs: number;
  /** Bytes that wait for a node to read them: above this nothing is added from its deliveries. */
  readonly bufferedBytes: number;
  /** Above this even what is sent only once is dropped. */
  readonly dropBytes: number;
  /** A node that has not read its bytes for this long is disconnected. */
  readonly slowMs: number;
  /** Messages for the controllers: upstream's agent sends 30 a second, 60 at once. */
  readonly messagesPerSecond: number;
  readonly messageBurst: number;
  /** Bytes that a node may send in the long run, and at once. */
  readonly bytesPerSecond: number;
  readonly byteBurst: number;
  /** Messages of one node that the controllers have not dealt with yet. */
  readonly unfinished: number;
  /** The bytes of these messages, of one node and of all nodes together. */
  readonly unfinishedBytes: number;
  readonly allUnfinishedBytes: number;
}

/** Room enough for a healthy node, upstream's included. */
export function defaultLimits(): HubLimits {
  return {
    idleTimeoutMs: 30_000,
    bufferedBytes: MEBIBYTE,
    dropBytes: 8 * MEBIBYTE,
    slowMs: 120_000,
    messagesPerSecond: 100,
    messageBurst: 500,
    bytesPerSecond: 2 * MEBIBYTE,
    byteBurst: 16 * MEBIBYTE,
    unfinished: 256,
    unfinishedBytes: 8 * MEBIBYTE,
    allUnfinishedBytes: 64 * MEBIBYTE,
  };
}
