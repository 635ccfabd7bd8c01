import { isJsonArray, isJsonObject, listAt, valueAt, type Json } from '@fenestra/kernel';

const ANYWHERE = ['appArmorProfile', 'runAsGroup', 'runAsUser', 'seccompProfile', 'seLinuxOptions'];
const OF_PODS = [
  ...ANYWHERE,
  'fsGroup',
  'fsGroupChangePolicy',
  'supplementalGroups',
  'supplementalGroupsPolicy',
  'sysctls',
];
const OF_CONTAINERS = [
  ...ANYWHERE,
  'allowPrivilegeEscalation',
  'capabilities',
  'privileged',
  'procMount',
  'readOnlyRootFilesystem',
];
const LISTS = ['initContainers', 'containers'];

/**
 * The fields of a pod that mean something on Linux only. They are those that an API server refuses for a pod with
 * `os.name: windows`; source: `validateWindows` in pkg/apis/core/validation/validation.go of Kubernetes.
 */
export function linuxFields(spec: Json | undefined): readonly string[] {
  return [
    ...given(spec, 'spec', ['hostPID', 'hostIPC', 'shareProcessNamespace']),
    ...given(valueAt(spec, 'securityContext'), 'spec.securityContext', OF_PODS),
    ...LISTS.flatMap((list) =>
      listAt(spec, list).flatMap((container, index) =>
        given(valueAt(container, 'securityContext'), `spec.${list}[${index}].securityContext`, OF_CONTAINERS),
      ),
    ),
  ];
}

function given(object: Json | undefined, path: string, names: readonly string[]): readonly string[] {
  return names.filter((name) => asksForSomething(valueAt(object, name))).map((name) => `${path}.${name}`);
}

function asksForSomething(value: Json | undefined): boolean {
  if (isJsonArray(value)) return value.length > 0;
  if (isJsonObject(value)) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== false && value !== '';
}
