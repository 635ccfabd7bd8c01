import { throwIfAborted, type RemoteHost, type RemoteHosts } from '@fenestra/platform';
import type { BatchNode } from '../inventory/batch-node.ts';

/** Logins at nodes, some of which are begun before anybody works on them. */
export interface Approach {
  begin(nodes: readonly BatchNode[]): void;
  /** Waits for the login that was begun, or for a new one. */
  arrive(node: BatchNode, signal: AbortSignal): Promise<RemoteHost>;
  /** Ends what was begun and nobody has waited for. */
  end(): Promise<void>;
}

/** Logs in to these hosts. */
export function openApproach(hosts: RemoteHosts): Approach {
  const begun = new Map<string, Promise<RemoteHost>>();
  const leaving = new AbortController();
  const connect = async (node: BatchNode, signal: AbortSignal): Promise<RemoteHost> =>
    hosts.connect(await node.target(signal), signal);
  return {
    begin(nodes) {
      for (const node of nodes) {
        const coming = connect(node, leaving.signal);
        // Whoever arrives is told.
        coming.catch(() => undefined);
        begun.set(node.name, coming);
      }
    },
    async arrive(node, signal) {
      const coming = begun.get(node.name);
      begun.delete(node.name);
      return coming === undefined ? connect(node, signal) : unlessAborted(coming, signal);
    },
    async end() {
      leaving.abort();
      const unwanted = [...begun.values()];
      begun.clear();
      await Promise.all(unwanted.map(closeOnceThere));
    },
  };
}

/** The login itself knows nothing of this signal, and whoever stops waiting for it was the only one. */
async function unlessAborted(coming: Promise<RemoteHost>, signal: AbortSignal): Promise<RemoteHost> {
  const activity = 'connecting';
  const { promise: over, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    throwIfAborted(activity, signal);
    return await Promise.race([coming, over]);
  } catch (error) {
    void closeOnceThere(coming);
    throwIfAborted(activity, signal);
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function closeOnceThere(coming: Promise<RemoteHost>): Promise<void> {
  const host = await coming.catch(() => undefined);
  await host?.close();
}
