/** The kinds of objects a pod can refer to. All are in the pod's namespace except cluster trust bundles. */
export type ReferencedKind =
  | 'ClusterTrustBundle'
  | 'ConfigMap'
  | 'Endpoints'
  | 'PersistentVolumeClaim'
  | 'PodGroup'
  | 'ResourceClaim'
  | 'ResourceClaimTemplate'
  | 'Secret'
  | 'ServiceAccount';

/** One object a pod refers to. The name is empty where the pod has a reference without a name. */
export interface PodReference {
  readonly kind: ReferencedKind;
  readonly name: string;
}

/**
 * Lists every object of the API that a pod refers to and that its node may therefore need. Anyone who decides what a node
 * may read, or what a pod made by a node may use, has to use this list: a second one would differ from it.
 */
export function podReferences(pod: object): readonly PodReference[] {
  const spec = fieldOf(pod, 'spec');
  const direct = PATHS.flatMap(({ kind, parent, field }) =>
    select(spec, parent).map((holder) => ({ kind, name: textOf(holder, field) })),
  );
  return [...direct, ...serviceAccounts(spec), ...ephemeralClaims(pod, spec)];
}

/** The names of all objects of one kind among the references, without duplicates. */
export function referencedNames(references: readonly PodReference[], kind: ReferencedKind): readonly string[] {
  const named = references.filter((reference) => reference.kind === kind && reference.name !== '');
  return [...new Set(named.map(({ name }) => name))];
}

interface ReferencePath {
  readonly kind: ReferencedKind;
  /** The object that makes the reference, from the pod's spec on; `[]` stands for every item of a list. */
  readonly parent: readonly string[];
  readonly field: string;
}

const SECRET_VOLUMES = ['cephfs', 'cinder', 'flexVolume', 'iscsi', 'rbd', 'scaleIO', 'storageos'];

const PATHS: readonly ReferencePath[] = [
  ...paths('Secret', [
    'imagePullSecrets[].name',
    'volumes[].secret.secretName',
    'volumes[].azureFile.secretName',
    'volumes[].csi.nodePublishSecretRef.name',
    ...SECRET_VOLUMES.map((volume) => `volumes[].${volume}.secretRef.name`),
    'volumes[].projected.sources[].secret.name',
    ...inContainers('env[].valueFrom.secretKeyRef.name'),
    ...inContainers('envFrom[].secretRef.name'),
  ]),
  ...paths('ConfigMap', [
    'volumes[].configMap.name',
    'volumes[].projected.sources[].configMap.name',
    ...inContainers('env[].valueFrom.configMapKeyRef.name'),
    ...inContainers('envFrom[].configMapRef.name'),
  ]),
  ...paths('ClusterTrustBundle', ['volumes[].projected.sources[].clusterTrustBundle.name']),
  ...paths('Endpoints', ['volumes[].glusterfs.endpoints']),
  ...paths('PersistentVolumeClaim', ['volumes[].persistentVolumeClaim.claimName']),
  ...paths('PodGroup', ['schedulingGroup.podGroupName']),
  ...paths('ResourceClaim', ['resourceClaims[].resourceClaimName']),
  ...paths('ResourceClaimTemplate', ['resourceClaims[].resourceClaimTemplateName']),
];

function inContainers(path: string): readonly string[] {
  return ['containers', 'initContainers', 'ephemeralContainers'].map((list) => `${list}[].${path}`);
}

function paths(kind: ReferencedKind, texts: readonly string[]): readonly ReferencePath[] {
  return texts.map((text) => {
    const parts = text.split('.');
    return { kind, parent: parts.slice(0, -1), field: parts.at(-1) ?? '' };
  });
}

// Both are issued to the service account of the pod.
const ACCOUNT_PROJECTIONS = ['serviceAccountToken', 'podCertificate'];

function serviceAccounts(spec: unknown): readonly PodReference[] {
  const name = textOf(spec, 'serviceAccountName');
  const deprecated = textOf(spec, 'serviceAccount');
  const projected = ACCOUNT_PROJECTIONS.flatMap((source) =>
    select(spec, ['volumes[]', 'projected', 'sources[]', source]),
  );
  const named = [name, deprecated].filter((account) => account !== '');
  const used = projected.length > 0 && named.length === 0 ? ['default'] : named;
  return used.map((account) => ({ kind: 'ServiceAccount', name: account }));
}

/** A claim made for the pod is called by the pod and its volume. */
function ephemeralClaims(pod: object, spec: unknown): readonly PodReference[] {
  const podName = textOf(fieldOf(pod, 'metadata'), 'name');
  return select(spec, ['volumes[]'])
    .filter((volume) => isObject(fieldOf(volume, 'ephemeral')))
    .map((volume) => ({ kind: 'PersistentVolumeClaim', name: `${podName}-${textOf(volume, 'name')}` }));
}

/** All objects at a path. */
function select(value: unknown, path: readonly string[]): readonly object[] {
  const [step, ...rest] = path;
  if (step === undefined) return isObject(value) ? [value] : [];
  if (!step.endsWith('[]')) return select(fieldOf(value, step), rest);
  const list: unknown = fieldOf(value, step.slice(0, -2));
  return Array.isArray(list) ? list.flatMap((item: unknown) => select(item, rest)) : [];
}

function textOf(value: unknown, field: string): string {
  const found = fieldOf(value, field);
  return typeof found === 'string' ? found : '';
}

/** A field of a value that may be anything; undefined where there is none. */
export function fieldOf(value: unknown, field: string): unknown {
  return isObject(value) && Object.hasOwn(value, field) ? Reflect.get(value, field) : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
