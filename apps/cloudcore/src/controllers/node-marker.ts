import { EDGE_KINDS } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { jitteredBackoff, pause } from '@fenestra/kube-api';
import type { Controller, ControllerContext } from './controller.ts';
import { limiter } from './limiter.ts';

const TRIES = 3;
const CONCURRENCY = 8;

/** Annotates every node that connects with the address of the replica it is connected to. */
export const nodeMarker: Controller = {
  name: 'node-marker',
  kinds: [EDGE_KINDS.node],
  start(context) {
    const { sessions, signal, advertiseAddress } = context;
    if (advertiseAddress === undefined) return {};
    const limit = limiter(CONCURRENCY);
    const stop = sessions.onNodeConnected((node) => void limit(() => mark(context, node, advertiseAddress)));
    signal.addEventListener('abort', stop, { once: true });
    return {};
  },
};

async function mark(context: ControllerContext, name: string, address: string): Promise<void> {
  const { api, sessions, log, signal } = context;
  const body = { metadata: { annotations: { cloudcore: address } } };
  for (let tries = 1; !signal.aborted && sessions.isConnected(name); tries++) {
    try {
      return void (await api.patch(EDGE_KINDS.node, { name }, { type: 'merge', body }, signal));
    } catch (error) {
      // A node that does not exist yet is marked when it registers.
      if (error instanceof OperatorError && error.code === 'API_NOT_FOUND') return;
      if (tries === TRIES) return log.warn('Cannot mark a node as connected to this replica', { node: name });
      await pause(jitteredBackoff(tries), signal);
    }
  }
}
