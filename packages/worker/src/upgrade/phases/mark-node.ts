import type { Phase } from '@fenestra/kernel';
import type { MarkNode } from '@fenestra/steps';
import { isUpToDate, type KubeUpgradeFacts } from '../upgrade-facts.ts';

/** Where the runtime is: one version has it at the node, another does not want it there. */
export const markNode: Phase<KubeUpgradeFacts> = {
  id: 'mark-node',
  title: 'Mark the node',
  plan(facts) {
    const { annotations, layout, nodeName: node } = facts;
    if (isUpToDate(facts) || Object.keys(annotations).length === 0) return [];
    const step: MarkNode = { kind: 'mark-node', kubeconfig: layout.kubeconfig, node, labels: {}, annotations };
    return [step];
  },
};
