import type { Phase } from '@fenestra/kernel';
import type { DrainNode } from '@fenestra/steps';
import type { ResetFacts } from '../facts.ts';

/** The pods move to other nodes while this one can still end them in good order. */
export const drain: Phase<ResetFacts> = {
  id: 'drain',
  title: 'Drain the node',
  plan({ wishes, cloud, nodeName }) {
    if (!wishes.drain || cloud.state !== 'registered') return [];
    const step: DrainNode = {
      kind: 'drain-node',
      kubeconfig: cloud.kubeconfig,
      node: nodeName,
      limitSeconds: wishes.drainLimitSeconds,
      confirms: cloud.ready,
    };
    return [step];
  },
};
