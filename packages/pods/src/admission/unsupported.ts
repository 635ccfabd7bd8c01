import { isJsonArray, isJsonObject, valueAt, type Json, type JsonObject } from '@fenestra/kernel';
import { readPod } from '../pod/read-pod.ts';
import { linuxFields } from './linux-fields.ts';

/** A field of a pod that this node does not support. */
export interface UnsupportedField {
  /** Where it is, such as `spec.containers[0].volumeDevices`. */
  readonly field: string;
  /** One sentence about it. */
  readonly message: string;
}

/** Fields that matter to the scheduler, the API server or controllers, and not to a node. */
const FOR_OTHERS: ReadonlySet<string> = new Set([
  'spec.affinity',
  'spec.automountServiceAccountToken',
  'spec.preemptionPolicy',
  'spec.schedulerName',
  'spec.serviceAccount',
  'spec.tolerations',
  'spec.topologySpreadConstraints',
  'spec.containers[].resizePolicy',
  'spec.initContainers[].resizePolicy',
  'spec.ephemeralContainers[].resizePolicy',
  'spec.securityContext.seLinuxChangePolicy',
]);

/** Parts of fields that are named for the sake of the API and mean nothing more. */
const FOR_OTHERS_ANYWHERE = /\.(?:fieldRef\.apiVersion|windowsOptions\.gmsaCredentialSpecName)$/;

/** The sources of volumes that are known; the others are kept as they came. */
const VOLUME_FIELDS: ReadonlySet<string> = new Set([
  'name',
  'emptyDir',
  'hostPath',
  'configMap',
  'secret',
  'downwardAPI',
  'projected',
  'persistentVolumeClaim',
]);
const PROJECTED_FIELDS: ReadonlySet<string> = new Set(['configMap', 'secret', 'downwardAPI', 'serviceAccountToken']);

/**
 * Every field of a pod that this node would have to ignore. A field counts as supported only if it is read, or known to
 * be for others, so that a field of a newer Kubernetes is found as well.
 */
export function unsupportedFields(pod: JsonObject, os: 'linux' | 'windows'): readonly UnsupportedField[] {
  const read = readPod(pod);
  if ('problems' in read) return [];
  const spec = pod['spec'];
  const unread = compare(spec, read.pod.spec, 'spec').map((field) => ({
    field,
    message: `The field "${field}" is not supported on this node.`,
  }));
  const ofLinux = os === 'linux' ? [] : linuxFields(spec);
  const others = ofLinux.map((field) => ({ field, message: `The field "${field}" is not supported on Windows.` }));
  return [...unread, ...unsupportedValues(spec), ...others];
}

/** The paths of fields that the reading left out. */
function compare(given: Json | undefined, kept: unknown, path: string): readonly string[] {
  if (isJsonArray(given)) {
    const items: readonly unknown[] = Array.isArray(kept) ? kept : [];
    return given.flatMap((item, index) => compare(item, items[index], `${path}[${index}]`));
  }
  if (!isJsonObject(given) || !isRecord(kept)) return [];
  return Object.entries(given).flatMap(([key, value]) => {
    const field = `${path}.${key}`;
    if (isEmpty(value) || isForOthers(field)) return [];
    return kept[key] === undefined || isUnknownSource(path, key) ? [field] : compare(value, kept[key], field);
  });
}

function isUnknownSource(path: string, key: string): boolean {
  if (/^spec\.volumes\[\d+\]$/.test(path)) return !VOLUME_FIELDS.has(key);
  return /\.projected\.sources\[\d+\]$/.test(path) && !PROJECTED_FIELDS.has(key);
}

function isForOthers(field: string): boolean {
  return FOR_OTHERS.has(field.replaceAll(/\[\d+\]/g, '[]')) || FOR_OTHERS_ANYWHERE.test(field);
}

/** A field that was never set asks for nothing. */
function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === false || value === '') return true;
  return isJsonArray(value) && value.length === 0;
}

/** Fields that are supported, but not with every value. */
function unsupportedValues(spec: Json | undefined): readonly UnsupportedField[] {
  const checks: readonly (UnsupportedField & { readonly found: boolean })[] = [
    {
      field: 'spec.hostUsers',
      message: 'The field "spec.hostUsers" cannot be false: this node does not support user namespaces.',
      found: valueAt(spec, 'hostUsers') === false,
    },
    {
      field: 'spec.runtimeClassName',
      message: 'The field "spec.runtimeClassName" is not supported on this node.',
      found: !isEmpty(valueAt(spec, 'runtimeClassName')),
    },
  ];
  const found = checks.filter((check) => check.found).map(({ field, message }) => ({ field, message }));
  return [...found, ...unsupportedResources(spec)];
}

const RESOURCES: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);

function unsupportedResources(spec: Json | undefined): readonly UnsupportedField[] {
  return ['initContainers', 'containers'].flatMap((list) => {
    const containers = valueAt(spec, list);
    if (!isJsonArray(containers)) return [];
    return containers.flatMap((container, index) =>
      ['limits', 'requests'].flatMap((kind) => {
        const amounts = valueAt(container, 'resources', kind);
        const names = isJsonObject(amounts) ? Object.keys(amounts).filter((name) => !RESOURCES.has(name)) : [];
        const field = `spec.${list}[${index}].resources.${kind}`;
        return names.map((name) => ({
          field,
          message: `The field "${field}" names the resource "${name}", which is not supported on this node.`,
        }));
      }),
    );
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
