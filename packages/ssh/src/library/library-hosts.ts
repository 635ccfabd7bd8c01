import type { RemoteHosts, RemoteTarget } from '@fenestra/platform';
import { hostKeyBook, type HostKeySources } from '../host-keys/host-key-book.ts';
import { type Connection, watchOver } from './connection.ts';
import { keyRing } from './key-ring.ts';
import { closeChain, libraryHost } from './library-host.ts';
import { logIn } from './log-in.ts';

/** Machines reached by an SSH client of our own: it needs no program of the system. */
export function sshRemoteHosts(sources: HostKeySources): RemoteHosts {
  const shared = { book: hostKeyBook(sources), keys: keyRing() };

  async function connectVia(chain: Connection[], target: RemoteTarget, signal: AbortSignal): Promise<Connection> {
    return watchOver(target, await logIn(target, chain.at(-1)?.client, shared, signal));
  }

  return {
    async connect(target, signal) {
      const chain: Connection[] = [];
      try {
        for (const jump of target.jumps) chain.push(await connectVia(chain, jump, signal));
        return libraryHost(chain, await connectVia(chain, target, signal));
      } catch (error) {
        await closeChain(chain);
        throw error;
      }
    },
  };
}
