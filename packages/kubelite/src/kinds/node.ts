import { listAt, type JsonObject, objectAt, objectsAt, stringAt, valueAt } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import type { FieldProblem } from '../objects/status-error.ts';
import { AGE, column, NAME, NONE, orNone, wideColumn } from '../printing/columns.ts';
import { defineKind } from './define-kind.ts';
import { keyProblems } from './names.ts';
import { duplicateField, unsupportedField } from './problems.ts';

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];
const ROLE_LABEL = 'node-role.kubernetes.io/';

/** Machines. A node reports its own status, also with its creation. */
export const nodeKind = defineKind({
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  shortNames: ['no'],
  namespaced: false,
  hasStatus: true,
  columns: [
    NAME,
    column('Status', 'Whether the node is ready and takes pods', nodeStatus),
    column('Roles', 'What the node is for', roles),
    AGE,
    column('Version', 'Version of the node agent', (node) => stringAt(node, 'status', 'nodeInfo', 'kubeletVersion')),
    wideColumn('Internal-IP', 'Address inside the cluster', (node) => address(node, 'InternalIP')),
    wideColumn('External-IP', 'Address outside the cluster', (node) => address(node, 'ExternalIP')),
    wideColumn('OS-Image', 'Operating system', (node) => fact(node, 'osImage')),
    wideColumn('Kernel-Version', 'Version of the kernel', (node) => fact(node, 'kernelVersion')),
    wideColumn('Container-Runtime', 'Container runtime and its version', (node) =>
      fact(node, 'containerRuntimeVersion'),
    ),
  ],
  selectableFields: ['spec.unschedulable'],
  prepareForCreate: (node) => node,
  validate: taintProblems,
});

/** The node's `Ready` condition, if it has reported any. */
export function readyCondition(node: KubeObject): JsonObject | undefined {
  return objectsAt(node, 'status', 'conditions').find((condition) => condition['type'] === 'Ready');
}

function nodeStatus(node: KubeObject): string {
  const ready = readyCondition(node);
  const status = ready === undefined ? 'Unknown' : ready['status'] === 'True' ? 'Ready' : 'NotReady';
  return valueAt(node, 'spec', 'unschedulable') === true ? `${status},SchedulingDisabled` : status;
}

function roles(node: KubeObject): string {
  const labels = Object.keys(objectAt(node, 'metadata', 'labels'));
  const named = labels.filter((key) => key.startsWith(ROLE_LABEL)).map((key) => key.slice(ROLE_LABEL.length));
  const old = stringAt(node, 'metadata', 'labels', 'kubernetes.io/role');
  return orNone(
    [...new Set([...named, old])]
      .filter((role) => role !== '')
      .toSorted()
      .join(','),
  );
}

function address(node: KubeObject, type: string): string {
  const found = objectsAt(node, 'status', 'addresses').find((candidate) => candidate['type'] === type);
  return stringAt(found, 'address') || NONE;
}

function fact(node: KubeObject, name: string): string {
  return stringAt(node, 'status', 'nodeInfo', name) || '<unknown>';
}

function taintProblems(node: KubeObject): readonly FieldProblem[] {
  const seen = new Set<string>();
  return listAt(node, 'spec', 'taints').flatMap((taint, index) => {
    const field = `spec.taints[${index}]`;
    const [key, effect] = [stringAt(taint, 'key'), stringAt(taint, 'effect')];
    const twice = seen.has(`${key}:${effect}`);
    seen.add(`${key}:${effect}`);
    return [
      ...keyProblems(`${field}.key`, key),
      ...(EFFECTS.includes(effect) ? [] : [unsupportedField(`${field}.effect`, effect, EFFECTS)]),
      ...(twice ? [duplicateField(field, taint)] : []),
    ];
  });
}
