import type { KubeObject } from '../objects/kube-object.ts';
import { whyNot } from './node-fit.ts';

/** Where a pod goes, or why it cannot go anywhere. */
export type Choice = { readonly node: string } | { readonly message: string };

/** Picks, of the nodes a pod can run on, the one with the fewest pods; the name decides between equals. */
export function chooseNode(pod: KubeObject, nodes: readonly KubeObject[], load: ReadonlyMap<string, number>): Choice {
  const reasons = new Map<string, number>();
  const fitting: string[] = [];
  for (const node of nodes) {
    const reason = whyNot(pod, node);
    if (reason === undefined) fitting.push(node.metadata.name);
    else reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const [best] = fitting.toSorted((a, b) => (load.get(a) ?? 0) - (load.get(b) ?? 0) || a.localeCompare(b));
  return best === undefined ? { message: refusal(nodes.length, reasons) } : { node: best };
}

function refusal(count: number, reasons: ReadonlyMap<string, number>): string {
  if (count === 0) return 'no nodes available to schedule pods';
  const list = [...reasons].map(([reason, times]) => `${times} ${reason}`).toSorted();
  return `0/${count} nodes are available: ${list.join(', ')}.`;
}
