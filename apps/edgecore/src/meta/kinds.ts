import { type KubeObject, textOf } from './kube-object.ts';

/** A kind of object, by every name it goes under. Group is empty for the core group. */
export interface KindNames {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

const KINDS_BY_TYPE: ReadonlyMap<string, KindNames> = new Map([
  ['pod', core('Pod', 'pods', true)],
  ['configmap', core('ConfigMap', 'configmaps', true)],
  ['secret', core('Secret', 'secrets', true)],
  ['service', core('Service', 'services', true)],
  ['endpoints', core('Endpoints', 'endpoints', true)],
  ['persistentvolumeclaim', core('PersistentVolumeClaim', 'persistentvolumeclaims', true)],
  ['node', core('Node', 'nodes', false)],
  ['persistentvolume', core('PersistentVolume', 'persistentvolumes', false)],
  ['lease', named('coordination.k8s.io/v1', 'Lease', 'leases', true)],
  [
    'certificatesigningrequest',
    named('certificates.k8s.io/v1', 'CertificateSigningRequest', 'certificatesigningrequests', false),
  ],
  ['volumeattachment', named('storage.k8s.io/v1', 'VolumeAttachment', 'volumeattachments', false)],
  [
    'serviceaccountaccess',
    named('policy.kubeedge.io/v1alpha1', 'ServiceAccountAccess', 'serviceaccountaccesses', true),
  ],
  ['device', named('devices.kubeedge.io/v1beta1', 'Device', 'devices', true)],
  ['devicemodel', named('devices.kubeedge.io/v1beta1', 'DeviceModel', 'devicemodels', true)],
]);

/** The kinds the wire has a type token for, by that token. */
export function knownKinds(): ReadonlyMap<string, KindNames> {
  return KINDS_BY_TYPE;
}

/**
 * What kind an object is: by what it says itself, else by the type token of the resource string it came under;
 * `undefined` if neither helps.
 */
export function kindOf(type: string, object: KubeObject): KindNames | undefined {
  const known = KINDS_BY_TYPE.get(type);
  const apiVersion = textOf(object, 'apiVersion');
  const kind = textOf(object, 'kind');
  if (apiVersion === undefined || kind === undefined || known?.kind === kind) return known;
  return named(apiVersion, kind, pluralOf(kind), textOf(object.metadata, 'namespace') !== undefined);
}

/** The `apiVersion` a kind's objects carry. */
export function apiVersionOf({ group, version }: Pick<KindNames, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The resource name upstream guesses for a kind; both sides must guess alike, since it is part of stored keys. */
function pluralOf(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular === 'endpoints') return singular;
  if (singular.endsWith('s')) return `${singular}es`;
  return singular.endsWith('y') ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}

function core(kind: string, plural: string, namespaced: boolean): KindNames {
  return named('v1', kind, plural, namespaced);
}

function named(apiVersion: string, kind: string, plural: string, namespaced: boolean): KindNames {
  const slash = apiVersion.indexOf('/');
  const group = slash < 0 ? '' : apiVersion.slice(0, slash);
  return { group, version: apiVersion.slice(slash + 1), kind, plural, namespaced };
}
