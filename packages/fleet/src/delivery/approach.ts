import type { RemoteHost, RemoteHosts } from '@fenestra/platform';
import type { BatchNode } from '../inventory/batch-node.ts';

/** Logins at nodes, some of which are begun before anybody works on them. */
export interface Approach {
  begin(nodes: readonly BatchNode[]): void;
  /** Waits for the login that was begun, or for a new one. */
  arrive(node: BatchNode, signal: AbortSignal): Promise<RemoteHost>;
  /** Ends what was begun and nobody has waited for. */
  end(): Promise<void>;
}

interface Begun {
  readonly login: Promise<RemoteHost>;
  readonly leaving: AbortController;
}

/** Logs in to these hosts. */
export function openApproach(hosts: RemoteHosts): Approach {
  const begun = new Map<string, Begun>();
  const connect = async (node: BatchNode, signal: AbortSignal): Promise<RemoteHost> =>
    hosts.connect(await node.target(signal), signal);
  return {
    begin(nodes) {
      for (const node of nodes) {
        const leaving = new AbortController();
        const login = connect(node, leaving.signal);
        // Whoever arrives is told.
        login.catch(() => undefined);
        begun.set(node.name, { login, leaving });
      }
    },
    async arrive(node, signal) {
      const coming = begun.get(node.name);
      begun.delete(node.name);
      return coming === undefined ? connect(node, signal) : goOn(coming, signal);
    },
    async end() {
      const unwanted = [...begun.values()];
      begun.clear();
      await Promise.all(unwanted.map(leave));
    },
  };
}

/** From here on, the login ends when whoever waits for it does. */
async function goOn({ login, leaving }: Begun, signal: AbortSignal): Promise<RemoteHost> {
  const stop = (): void => leaving.abort(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await login;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function leave({ login, leaving }: Begun): Promise<void> {
  leaving.abort();
  const host = await login.catch(() => undefined);
  await host?.close();
}
