import { EDGE_KINDS, SYNCED_KINDS } from '@fenestra/contracts';
import { pause } from '@fenestra/kube-api';
import type { Controller, ControllerContext } from './controller.ts';
import { type Downstream, startDownstream } from './downstream/downstream.ts';
import { startUpstream } from './upstream/upstream.ts';

/** How often every connected node is looked at again, in case something could not be read at the time. */
const LOOK_AGAIN_MS = 30_000;

/** Sends every connected node the objects that concern it, and brings what nodes request to the Kubernetes API. */
export const nodeObjects: Controller = {
  name: 'node-objects',
  kinds: [
    ...SYNCED_KINDS,
    EDGE_KINDS.serviceAccount,
    EDGE_KINDS.event,
    EDGE_KINDS.persistentVolumeClaim,
    EDGE_KINDS.persistentVolume,
    EDGE_KINDS.lease,
    EDGE_KINDS.certificateSigningRequest,
    EDGE_KINDS.volumeAttachment,
  ],
  start(context) {
    const { api, sessions, cluster, book, writer, log, signal, advertiseAddress } = context;
    const truth = () => (cluster.synced && book.synced ? { cluster, book } : undefined);
    const downstream = startDownstream({ api, sessions, writer, log, truth }, signal);
    const tools = { api, sessions, cluster, book, downstream, advertiseAddress };
    const upstream = startUpstream(tools, log, signal);
    return {
      onEvent: (event) => downstream.take(event),
      figures: () => ({ pendingRequests: upstream.waiting, refusedRequests: upstream.refused }),
      stopped: keepLooking(context, downstream),
    };
  },
};

async function keepLooking(
  { sessions, cluster, book, log, signal }: ControllerContext,
  downstream: Downstream,
): Promise<void> {
  const reading = Promise.all([cluster.whenSynced(), book.whenSynced()]);
  const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await Promise.race([reading, aborted]);
  if (!signal.aborted) log.info('the cluster has been read', { nodes: sessions.nodes().length });
  while (!signal.aborted) {
    for (const node of sessions.nodes()) downstream.reconcile(node);
    await pause(LOOK_AGAIN_MS, signal);
  }
}
