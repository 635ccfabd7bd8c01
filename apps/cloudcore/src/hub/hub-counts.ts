/** What the hub has done since it began; the metrics are read from here. */
export interface HubCounts {
  connections: number;
  replacements: number;
  /** Connections that were refused before they became a session. */
  refusals: number;
  /** Sessions that the hub ended: silent, too slow, or sending what cannot be read. */
  evictions: number;
  received: number;
  /** Messages from nodes that were dropped because they claim to come from the cloud. */
  forged: number;
  /** Messages from nodes that were dropped because they are too large for their kind. */
  oversized: number;
  sent: number;
  acknowledged: number;
  /** Objects a node said it could not take. */
  rejected: number;
  /** Messages that were not sent: too large, or the node reads too slowly. */
  dropped: number;
  /** How often a node was not read from for a while because it sent too much. */
  throttled: number;
}

/** Everything at zero. */
export function newHubCounts(): HubCounts {
  return {
    connections: 0,
    replacements: 0,
    refusals: 0,
    evictions: 0,
    received: 0,
    forged: 0,
    oversized: 0,
    sent: 0,
    acknowledged: 0,
    rejected: 0,
    dropped: 0,
    throttled: 0,
  };
}
