import { type Json, type JsonObject, objectAt, objectsAt, stringAt, stringsAt, valueAt } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import { readyCondition } from '../kinds/node.ts';

/** Why a pod cannot run on a node, in the scheduler's usual words; undefined if it can. */
export function whyNot(pod: KubeObject, node: KubeObject): string | undefined {
  if (valueAt(node, 'spec', 'unschedulable') === true && !tolerates(pod, UNSCHEDULABLE)) {
    return 'node(s) were unschedulable';
  }
  if (readyCondition(node)?.['status'] !== 'True') return 'node(s) were not ready';
  if (!matchesLabels(pod, node) || !matchesAffinity(pod, node))
    return "node(s) didn't match Pod's node affinity/selector";
  const taint = objectsAt(node, 'spec', 'taints').find((candidate) => repels(candidate) && !tolerates(pod, candidate));
  return taint && `node(s) had untolerated taint {${stringAt(taint, 'key')}: ${stringAt(taint, 'value')}}`;
}

const UNSCHEDULABLE: JsonObject = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

function matchesLabels(pod: KubeObject, node: KubeObject): boolean {
  const labels = objectAt(node, 'metadata', 'labels');
  return Object.entries(objectAt(pod, 'spec', 'nodeSelector')).every(([key, value]) => labels[key] === value);
}

/** The terms of a required affinity are alternatives; the expressions of a term all have to hold. */
function matchesAffinity(pod: KubeObject, node: KubeObject): boolean {
  const required = valueAt(pod, 'spec', 'affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution');
  if (required === undefined) return true;
  return objectsAt(required, 'nodeSelectorTerms').some((term) => matchesTerm(term, node));
}

function matchesTerm(term: JsonObject, node: KubeObject): boolean {
  const expressions = objectsAt(term, 'matchExpressions');
  const fields = objectsAt(term, 'matchFields');
  // A term that asks for nothing matches no node.
  if (expressions.length === 0 && fields.length === 0) return false;
  const labels = objectAt(node, 'metadata', 'labels');
  return (
    expressions.every((expression) => holds(expression, labels[stringAt(expression, 'key')])) &&
    fields.every((field) => holds(field, field['key'] === 'metadata.name' ? node.metadata.name : undefined))
  );
}

function holds(requirement: JsonObject, value: Json | undefined): boolean {
  const values = stringsAt(requirement, 'values');
  const [limit = ''] = values;
  switch (stringAt(requirement, 'operator')) {
    case 'In':
      return typeof value === 'string' && values.includes(value);
    case 'NotIn':
      return typeof value !== 'string' || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return isInteger(value) && isInteger(limit) && Number(value) > Number(limit);
    case 'Lt':
      return isInteger(value) && isInteger(limit) && Number(value) < Number(limit);
    default:
      return false;
  }
}

function isInteger(value: Json | undefined): boolean {
  return typeof value === 'string' && /^-?\d+$/.test(value);
}

function repels(taint: JsonObject): boolean {
  return taint['effect'] === 'NoSchedule' || taint['effect'] === 'NoExecute';
}

function tolerates(pod: KubeObject, taint: JsonObject): boolean {
  return objectsAt(pod, 'spec', 'tolerations').some((toleration) => {
    const effect = stringAt(toleration, 'effect');
    if (effect !== '' && effect !== taint['effect']) return false;
    const key = stringAt(toleration, 'key');
    if (key !== '' && key !== taint['key']) return false;
    if (stringAt(toleration, 'operator') === 'Exists') return true;
    return key !== '' && stringAt(toleration, 'value') === stringAt(taint, 'value');
  });
}
