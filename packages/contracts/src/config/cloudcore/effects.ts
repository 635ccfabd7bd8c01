import { WORKS, type ConfigNote, type Effects } from '../reading/effects.ts';
import type { CloudcoreConfig } from './schema.ts';

/** What does nothing in this cloudcore yet. A part that starts to work leaves this table. */
export const CLOUDCORE_EFFECTS: Effects = {
  'commonConfig.tunnelPort': 'logs and exec through the cloud are not supported yet',
  'commonConfig.monitorServer.enableProfiling': 'there is no profiler behind a port',
  'kubeAPIConfig.contentType': 'the Kubernetes API is always spoken to in JSON',
  'modules.cloudHub.writeTimeout': 'a slow reader is bounded by what it has not acknowledged',
  'modules.cloudHub.quic': 'QUIC is not supported yet; nodes connect by WebSocket',
  'modules.cloudHub.unixsocket': 'volume requests by CSI are not supported yet',
  'modules.cloudHub.authorization': 'a node can act only under the name in its certificate',
  'modules.edgeController.nodeUpdateFrequency': 'node status is forwarded immediately',
  'modules.edgeController.buffer': 'queues have one bound that needs no tuning',
  'modules.edgeController.load': 'calls to the Kubernetes API are batched, there are no workers to count',
  'modules.deviceController': 'devices are not supported yet',
  'modules.taskManager': 'tasks for nodes are not supported yet',
  'modules.dynamicController': 'it is not supported yet',
  'modules.cloudStream': 'logs and exec through the cloud are not supported yet',
  'modules.router': 'it is not supported yet',
  'modules.iptablesManager': 'logs and exec through the cloud are not supported yet',
  'modules.syncController': WORKS,
  featureGates: 'what they switch is either always on here or not supported yet',
};

/** What an operator may not have meant, although it does what it says. */
export function cloudcoreRemarks({ modules }: CloudcoreConfig): readonly ConfigNote[] {
  if (modules.cloudHub.enable) return [];
  return [{ path: 'modules.cloudHub.enable', reason: 'it is false, so no node can connect' }];
}
