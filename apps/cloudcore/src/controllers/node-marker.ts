import { OperatorError } from '@fenestra/kernel';
import { jitteredBackoff, KINDS, pause, type KubeApi } from '@fenestra/kube-api';
import type { Logger } from '@fenestra/platform';
import type { NodeSessions } from '../hub/node-sessions.ts';
import { limiter } from './limiter.ts';

/** What marking takes. */
export interface MarkerParts {
  readonly api: KubeApi;
  readonly sessions: NodeSessions;
  readonly log: Logger;
  /** Under which address the other replicas reach this one; without it nothing is marked. */
  readonly advertiseAddress: string | undefined;
}

const TRIES = 3;
const AT_ONCE = 8;

/** Notes at every node that connects which replica it is connected to. Stops when the signal aborts. */
export function startNodeMarker({ api, sessions, log, advertiseAddress }: MarkerParts, signal: AbortSignal): void {
  if (advertiseAddress === undefined) return;
  const limit = limiter(AT_ONCE);
  const body = { metadata: { annotations: { cloudcore: advertiseAddress } } };
  const mark = async (name: string): Promise<void> => {
    for (let tries = 1; !signal.aborted && sessions.isConnected(name); tries++) {
      try {
        return void (await api.patch(KINDS.node, { name }, { type: 'merge', body }, signal));
      } catch (error) {
        // A node that does not exist yet is marked when it registers.
        if (error instanceof OperatorError && error.code === 'API_NOT_FOUND') return;
        if (tries === TRIES) return log.warn('a node could not be marked as connected here', { node: name });
        await pause(jitteredBackoff(tries), signal);
      }
    }
  };
  const stop = sessions.onNodeConnected((node) => void limit(() => mark(node)));
  signal.addEventListener('abort', stop, { once: true });
}
