import { selectsNode, tolerates } from '@fenestra/contracts/objects';
import { type JsonObject, objectsAt, stringAt, valueAt } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import { readyCondition } from '../kinds/node.ts';

/** Why a pod cannot run on a node, in the scheduler's usual words; undefined if it can. */
export function whyNot(pod: KubeObject, node: KubeObject): string | undefined {
  if (valueAt(node, 'spec', 'unschedulable') === true && !tolerates(pod, UNSCHEDULABLE)) {
    return 'node(s) were unschedulable';
  }
  if (readyCondition(node)?.['status'] !== 'True') return 'node(s) were not ready';
  if (!selectsNode(pod, node)) return "node(s) didn't match Pod's node affinity/selector";
  const taint = objectsAt(node, 'spec', 'taints').find((candidate) => repels(candidate) && !tolerates(pod, candidate));
  return taint && `node(s) had untolerated taint {${stringAt(taint, 'key')}: ${stringAt(taint, 'value')}}`;
}

const UNSCHEDULABLE: JsonObject = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

function repels(taint: JsonObject): boolean {
  return taint['effect'] === 'NoSchedule' || taint['effect'] === 'NoExecute';
}
