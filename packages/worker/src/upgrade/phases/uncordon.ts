import type { Phase } from '@fenestra/kernel';
import type { UncordonNode } from '@fenestra/steps';
import { isUpToDate, type KubeUpgradeFacts } from '../upgrade-facts.ts';

/** A node that took pods before takes them again; one that somebody had cordoned stays so. */
export const uncordon: Phase<KubeUpgradeFacts> = {
  id: 'uncordon',
  title: 'Let pods come again',
  plan(facts) {
    const { drains, schedulable, drainKubeconfig: kubeconfig, nodeName: node } = facts;
    if (!drains || !schedulable || isUpToDate(facts)) return [];
    const step: UncordonNode = { kind: 'uncordon-node', kubeconfig, node, pointOfNoReturn: true };
    return [step];
  },
};
