/** What a heartbeat needs of its connection. */
export interface Pulse {
  /** Sends the keepalive and a WebSocket ping. */
  beat(): void;
  /** How long nothing was heard from a peer that has answered a ping before; 0 for one that never did. */
  silentMs(): number;
  /** How long the socket has taken nothing although frames wait. */
  stalledMs(): number;
  /** Gives the connection up. */
  giveUp(reason: string): void;
}

/** How often to beat, and how long a socket may take nothing. */
export interface HeartbeatOptions {
  readonly intervalMs: number;
  readonly writeDeadlineMs: number;
}

/**
 * Beats at once and then at every interval, and gives up a connection that is dead without having been closed:
 * the cloud never answers a keepalive, so without this a half-open connection would look alive for hours.
 * Returns what stops it.
 */
export function startHeartbeat(pulse: Pulse, { intervalMs, writeDeadlineMs }: HeartbeatOptions): () => void {
  const check = (): void => {
    if (pulse.silentMs() > 2.5 * intervalMs) pulse.giveUp('the cloud has not answered for too long');
    else if (writeDeadlineMs > 0 && pulse.stalledMs() > writeDeadlineMs) pulse.giveUp('the cloud takes no messages');
    else pulse.beat();
  };
  pulse.beat();
  const timer = setInterval(check, intervalMs);
  return () => clearInterval(timer);
}
