import { objectAt, stringAt, valueAt, type Json, type JsonObject } from '@fenestra/kernel';
import { objectsAt, stringsAt } from '../json-fields.ts';

/** Whether the node selector and the required node affinity of a pod allow a node. */
export function selectsNode(pod: JsonObject, node: JsonObject): boolean {
  return matchesLabels(pod, node) && matchesAffinity(pod, node);
}

/** Whether a pod tolerates a taint. */
export function tolerates(pod: JsonObject, taint: JsonObject): boolean {
  return objectsAt(pod, 'spec', 'tolerations').some((toleration) => {
    const effect = stringAt(toleration, 'effect');
    if (effect !== '' && effect !== taint['effect']) return false;
    const key = stringAt(toleration, 'key');
    if (key !== '' && key !== taint['key']) return false;
    if (stringAt(toleration, 'operator') === 'Exists') return true;
    return key !== '' && stringAt(toleration, 'value') === stringAt(taint, 'value');
  });
}

function matchesLabels(pod: JsonObject, node: JsonObject): boolean {
  const labels = objectAt(node, 'metadata', 'labels');
  return Object.entries(objectAt(pod, 'spec', 'nodeSelector')).every(([key, value]) => labels[key] === value);
}

/** The terms of a required affinity are alternatives; the expressions of a term all have to hold. */
function matchesAffinity(pod: JsonObject, node: JsonObject): boolean {
  const required = valueAt(pod, 'spec', 'affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution');
  if (required === undefined) return true;
  return objectsAt(required, 'nodeSelectorTerms').some((term) => matchesTerm(term, node));
}

function matchesTerm(term: JsonObject, node: JsonObject): boolean {
  const expressions = objectsAt(term, 'matchExpressions');
  const fields = objectsAt(term, 'matchFields');
  // A term that asks for nothing matches no node.
  if (expressions.length === 0 && fields.length === 0) return false;
  const labels = objectAt(node, 'metadata', 'labels');
  return (
    expressions.every((expression) => holds(expression, labels[stringAt(expression, 'key')])) &&
    fields.every((field) =>
      holds(field, field['key'] === 'metadata.name' ? stringAt(node, 'metadata', 'name') : undefined),
    )
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

/** The annotation of a sandbox that names the node whose agent made it. */
const NODE_ANNOTATION = 'fenestra.dev/node';

/** What the agent of a node adds to the annotations of the sandboxes that it makes. */
export function madeByNode(nodeName: string): Readonly<Record<string, string>> {
  return { [NODE_ANNOTATION]: nodeName };
}

/** The node whose agent made a sandbox; undefined for what another agent or a kubelet made. */
export function nodeOfSandbox(annotations: Readonly<Record<string, string>>): string | undefined {
  return annotations[NODE_ANNOTATION];
}
