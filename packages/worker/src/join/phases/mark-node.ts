import type { Phase } from '@fenestra/kernel';
import type { MarkNode } from '@fenestra/steps';
import type { KubeJoinFacts } from '../join-facts.ts';

/** Labels that the operator wants, and where the runtime is, for tools that look for it at the node. */
export const markNode: Phase<KubeJoinFacts> = {
  id: 'mark-node',
  title: 'Mark the node',
  plan({ joining, layout, nodeName: node }) {
    if (joining === undefined) return [];
    const { labels, annotations } = joining;
    if (Object.keys({ ...labels, ...annotations }).length === 0) return [];
    const step: MarkNode = { kind: 'mark-node', kubeconfig: layout.kubeconfig, node, labels, annotations };
    return [step];
  },
};
