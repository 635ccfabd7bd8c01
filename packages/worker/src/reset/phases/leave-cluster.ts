import type { Phase } from '@fenestra/kernel';
import type { DeleteNode } from '@fenestra/steps';
import type { KubeResetFacts } from '../reset-facts.ts';

/** The node leaves the cluster only when its kubelet is stopped, which would register it anew. */
export const leaveCluster: Phase<KubeResetFacts> = {
  id: 'leave-cluster',
  title: 'Leave the cluster',
  plan({ cluster, nodeName: node }) {
    if (cluster.state !== 'registered' || !cluster.mayDelete) return [];
    const step: DeleteNode = { kind: 'delete-node', kubeconfig: cluster.kubeconfig, node, pointOfNoReturn: true };
    return [step];
  },
};
