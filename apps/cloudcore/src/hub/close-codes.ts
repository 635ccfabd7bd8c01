/** Why the hub closes a connection, in WebSocket's numbers. The reason in words goes with it. */
export const CLOSE_CODES = {
  /** What the node sent cannot be read. */
  unreadable: 1007,
  /** The node may not stay: it is silent, replaced or removed. */
  policy: 1008,
  /** This replica goes away: connect again, to whoever answers then. */
  restart: 1012,
} as const;

/** One of the reasons. */
export type CloseCode = (typeof CLOSE_CODES)[keyof typeof CLOSE_CODES];
