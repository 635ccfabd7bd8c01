import type { Phase } from '@fenestra/kernel';
import type { DrainNode } from '@fenestra/steps';
import { isUpToDate, type KubeUpgradeFacts } from '../upgrade-facts.ts';

/** The pods move to other nodes while this one can still end them in good order. */
export const drain: Phase<KubeUpgradeFacts> = {
  id: 'drain',
  title: 'Drain the node',
  plan(facts) {
    const { drains, drainKubeconfig: kubeconfig, nodeName: node, drainLimitSeconds: limitSeconds, ready } = facts;
    if (!drains || isUpToDate(facts)) return [];
    const step: DrainNode = { kind: 'drain-node', kubeconfig, node, limitSeconds, confirms: ready };
    return [step];
  },
};
