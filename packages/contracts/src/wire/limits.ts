const MEBIBYTE = 1024 * 1024;

/** The largest message either side sends or reads: upstream's own limit where it has one. */
export const MAX_MESSAGE_BYTES = 32 * MEBIBYTE;

/** How many values a message from a node may hold. It bounds what a message costs in memory once it is parsed. */
export const MAX_NODE_MESSAGE_VALUES = 250_000;

/** How deep lists and objects may nest in a message. Deeper ones could be read but never be written again. */
export const MAX_MESSAGE_DEPTH = 1000;

/** The most unacknowledged messages a node may have: upstream's agent drops the oldest of more than 100 unread ones. */
export const MAX_UNACKNOWLEDGED = 64;

/** How long upstream's cloud waits for an acknowledgement before it sends a message again. */
export const ACKNOWLEDGEMENT_TIMEOUT_MS = 5_000;

/** How long a node waits for the answer to a query. */
export const QUERY_TIMEOUT_MS = 60_000;

/** The largest certificate request the cloud reads. */
export const MAX_CERTIFICATE_REQUEST_BYTES = MEBIBYTE;
