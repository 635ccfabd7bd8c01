import { MIRROR_ANNOTATION } from '@fenestra/contracts';
import {
  listAt,
  canonicalJson,
  type Json,
  type JsonObject,
  numberAt,
  objectAt,
  objectsAt,
  sameJson,
  stringAt,
  valueAt,
  without,
} from '../../objects/json.ts';
import type { KubeObject } from '../../objects/kube-object.ts';
import type { FieldProblem } from '../../objects/status-error.ts';
import { nameProblems } from '../names.ts';
import { duplicateField, forbiddenField, invalidField, requiredField, unsupportedField } from '../problems.ts';

const RESTART_POLICIES = ['Always', 'OnFailure', 'Never'];
const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];
const PROTOCOLS = ['TCP', 'UDP', 'SCTP'];

/** Everything wrong with a pod; with `previous`, also what a pod may not change any more. */
export function podProblems(pod: KubeObject, previous?: KubeObject): readonly FieldProblem[] {
  return [...specProblems(objectAt(pod, 'spec')), ...(previous ? changeProblems(pod, previous) : [])];
}

function specProblems(spec: JsonObject): readonly FieldProblem[] {
  const volumes = new Set(objectsAt(spec, 'volumes').map((volume) => stringAt(volume, 'name')));
  const containers = listAt(spec, 'containers');
  const restart = stringAt(spec, 'restartPolicy');
  return [
    ...(containers.length === 0 ? [requiredField('spec.containers')] : []),
    ...containers.flatMap((item, index) => containerProblems(item, `spec.containers[${index}]`, volumes)),
    ...listAt(spec, 'initContainers').flatMap((item, index) =>
      containerProblems(item, `spec.initContainers[${index}]`, volumes),
    ),
    ...duplicateNames([...objectsAt(spec, 'initContainers'), ...objectsAt(spec, 'containers')], 'spec.containers'),
    ...objectsAt(spec, 'volumes').flatMap((volume, index) => volumeNameProblems(volume, `spec.volumes[${index}].name`)),
    ...duplicateNames(objectsAt(spec, 'volumes'), 'spec.volumes'),
    ...(RESTART_POLICIES.includes(restart) ? [] : [unsupportedField('spec.restartPolicy', restart, RESTART_POLICIES)]),
    ...(numberAt(spec, 'terminationGracePeriodSeconds') < 0
      ? [
          invalidField(
            'spec.terminationGracePeriodSeconds',
            numberAt(spec, 'terminationGracePeriodSeconds'),
            'must be greater than or equal to 0',
          ),
        ]
      : []),
  ];
}

function volumeNameProblems(volume: JsonObject, field: string): readonly FieldProblem[] {
  const name = stringAt(volume, 'name');
  return name === '' ? [requiredField(field)] : nameProblems(field, name, 'label');
}

function containerProblems(container: Json, field: string, volumes: ReadonlySet<string>): readonly FieldProblem[] {
  const name = stringAt(container, 'name');
  const policy = stringAt(container, 'imagePullPolicy');
  return [
    ...(name === '' ? [requiredField(`${field}.name`)] : nameProblems(`${field}.name`, name, 'label')),
    ...(stringAt(container, 'image') === '' ? [requiredField(`${field}.image`)] : []),
    ...(PULL_POLICIES.includes(policy) ? [] : [unsupportedField(`${field}.imagePullPolicy`, policy, PULL_POLICIES)]),
    ...listAt(container, 'ports').flatMap((port, index) => portProblems(port, `${field}.ports[${index}]`)),
    ...listAt(container, 'env').flatMap((variable, index) =>
      stringAt(variable, 'name') === '' ? [requiredField(`${field}.env[${index}].name`)] : [],
    ),
    ...listAt(container, 'volumeMounts').flatMap((mount, index) =>
      mountProblems(mount, `${field}.volumeMounts[${index}]`, volumes),
    ),
  ];
}

function portProblems(port: Json, field: string): readonly FieldProblem[] {
  const number = numberAt(port, 'containerPort');
  const protocol = stringAt(port, 'protocol');
  return [
    ...(valueAt(port, 'containerPort') === undefined ? [requiredField(`${field}.containerPort`)] : []),
    ...(number < 0 || number > 65_535
      ? [invalidField(`${field}.containerPort`, number, 'must be between 1 and 65535, inclusive')]
      : []),
    ...(PROTOCOLS.includes(protocol) ? [] : [unsupportedField(`${field}.protocol`, protocol, PROTOCOLS)]),
  ];
}

function mountProblems(mount: Json, field: string, volumes: ReadonlySet<string>): readonly FieldProblem[] {
  const name = stringAt(mount, 'name');
  return [
    ...(stringAt(mount, 'mountPath') === '' ? [requiredField(`${field}.mountPath`)] : []),
    ...(volumes.has(name)
      ? []
      : [
          {
            field: `${field}.name`,
            reason: 'FieldValueInvalid' as const,
            message: `Not found: ${JSON.stringify(name)}`,
          },
        ]),
  ];
}

function duplicateNames(items: readonly JsonObject[], field: string): readonly FieldProblem[] {
  const seen = new Set<string>();
  return items.flatMap((item, index) => {
    const name = stringAt(item, 'name');
    const twice = name !== '' && seen.has(name);
    seen.add(name);
    return twice ? [duplicateField(`${field}[${index}].name`, name)] : [];
  });
}

const CHANGEABLE =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

function changeProblems(pod: KubeObject, previous: KubeObject): readonly FieldProblem[] {
  const [spec, stored] = [objectAt(pod, 'spec'), objectAt(previous, 'spec')];
  const tolerations = new Set(listAt(spec, 'tolerations').map(canonicalJson));
  const kept = listAt(stored, 'tolerations').every((old) => tolerations.has(canonicalJson(old)));
  return [
    ...(kept && sameJson(fixedPart(spec, stored), fixedPart(stored, stored))
      ? []
      : [forbiddenField('spec', CHANGEABLE)]),
    ...mirrorProblems(pod, previous),
  ];
}

/** What a pod gives its node access to depends on this annotation. */
function mirrorProblems(pod: KubeObject, previous: KubeObject): readonly FieldProblem[] {
  const [after, before] = [pod, previous].map(({ metadata }) => metadata.annotations?.[MIRROR_ANNOTATION]);
  if (after === before) return [];
  const why =
    before === undefined ? 'may not add mirror pod annotation' : 'may not remove or update mirror pod annotation';
  return [forbiddenField(`metadata.annotations[${MIRROR_ANNOTATION}]`, why)];
}

/** What of a spec never changes. The node is chosen once, by a binding. */
function fixedPart(spec: JsonObject, stored: JsonObject): JsonObject {
  const unbound = stringAt(stored, 'nodeName') === '';
  const withoutNode = unbound ? without(spec, 'nodeName') : spec;
  const fixed = without(without(withoutNode, 'tolerations'), 'activeDeadlineSeconds');
  const images = (list: string): Json => objectsAt(spec, list).map((container) => without(container, 'image'));
  return { ...fixed, containers: images('containers'), initContainers: images('initContainers') };
}
