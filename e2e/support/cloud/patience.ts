import type { EdgeNode } from './edge-node.ts';
import { eventually } from './eventually.ts';

/** How long things may take that need a connection, which a node tries at growing intervals of up to half a minute. */
export const PATIENCE = { timeout: 60_000, interval: 250 };

/** A signal that never fires: the test's own time limit is the limit. */
export function unlimited(): AbortSignal {
  return new AbortController().signal;
}

/** Waits until the agent says that it is connected, or that it is not. */
export async function untilConnected(node: EdgeNode, connected = true): Promise<void> {
  await eventually(async () => {
    const status = await node.status();
    if (status?.connected !== connected) throw new Error(`The status of the node is ${JSON.stringify(status)}`);
  }, PATIENCE);
}
