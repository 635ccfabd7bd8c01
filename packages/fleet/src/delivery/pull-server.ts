import type { Load } from './loads.ts';
import type { PullSource } from './posix/deliver-functions.ts';
import type { PullListener } from './pull-listener.ts';
import type { RemoteWorkerOptions } from './worker-options.ts';

/** After so many machines in a row that cannot reach us, and none that can, the others are not made to try. */
const GIVE_UP_AFTER = 3;

interface Offer extends PullSource {
  /** Takes the offer back; called with whether the machine has fetched the file. */
  readonly settle: (fetched: boolean) => void;
}

/** Lets machines fetch programs. It listens from the first offer on. */
export interface PullServer {
  /** `undefined` if it is not worth trying any more. `address` is ours, as the machine sees it. */
  offer(load: Load, address: string, onProgress: (sent: number) => void): Promise<Offer | undefined>;
  close(): Promise<void>;
}

/** Opens the server of one run. */
export function openPullServer(tools: Pick<RemoteWorkerOptions, 'random' | 'now'>): PullServer {
  let listening: Promise<PullListener> | undefined;
  let failures = 0;
  let successes = 0;
  /** If no port is free, the program is sent instead. */
  const listen = async (): Promise<PullListener | undefined> => {
    listening ??= loadListener(tools);
    return listening.catch(() => undefined);
  };
  return {
    async offer(load, address, onProgress) {
      if (successes === 0 && failures >= GIVE_UP_AFTER) return undefined;
      const permission = (await listen())?.permit(load, onProgress);
      if (permission === undefined) return undefined;
      const { revoke, ...source } = permission;
      const settle = (fetched: boolean): void => {
        revoke();
        if (fetched) successes += 1;
        else failures += 1;
      };
      return { ...source, host: address, settle };
    },
    async close() {
      await (await listening?.catch(() => undefined))?.close();
    },
  };
}

/** The listener's libraries are loaded only when a machine fetches. */
async function loadListener(tools: Pick<RemoteWorkerOptions, 'random' | 'now'>): Promise<PullListener> {
  const { openPullListener } = await import('./pull-listener.ts');
  return openPullListener(tools);
}
