import type { Phase } from '@fenestra/kernel';
import type { DrainNode } from '@fenestra/steps';
import type { KubeResetFacts } from '../reset-facts.ts';

/** The pods move to other nodes while this one can still end them in good order. */
export const drain: Phase<KubeResetFacts> = {
  id: 'drain',
  title: 'Drain the node',
  plan({ wishes, cluster, nodeName: node }) {
    if (!wishes.drain || cluster.state !== 'registered') return [];
    const { kubeconfig, ready: confirms } = cluster;
    const step: DrainNode = { kind: 'drain-node', kubeconfig, node, limitSeconds: wishes.drainLimitSeconds, confirms };
    return [step];
  },
};
