import { isJsonObject, type JsonObject } from '@fenestra/kernel';

/** A kind of object, by the names its URLs are made of. The core group is an empty string. */
export interface ApiKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

/** Which object of a kind. Cluster-wide kinds have no namespace. */
export interface ObjectName {
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** The `apiVersion` of a kind's objects. */
export function apiVersionOf(kind: ApiKind): string {
  return kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
}

/** A draft without `apiVersion` and `kind` gets those of its kind. */
export function withType(kind: ApiKind, draft: JsonObject): JsonObject {
  return { ...draft, apiVersion: apiVersionOf(kind), kind: kind.kind };
}

/** The path of a kind's collection, or with a name of one object. A kind with a namespace given none means all of them. */
export function pathOf(kind: ApiKind, namespace?: string, name?: string, subresource?: string): string {
  const root = kind.group === '' ? ['api', kind.version] : ['apis', kind.group, kind.version];
  const scope = kind.namespaced && namespace !== undefined ? ['namespaces', namespace] : [];
  const object = [name, subresource].filter((part) => part !== undefined);
  return `/${[...root, ...scope, kind.plural, ...object].map((part) => encodeURIComponent(part)).join('/')}`;
}

const core = (kind: string, plural: string, namespaced = true): ApiKind => ({
  group: '',
  version: 'v1',
  kind,
  plural,
  namespaced,
});

const inGroup = (group: string, kind: string, plural: string, namespaced: boolean): ApiKind => ({
  group,
  version: 'v1',
  kind,
  plural,
  namespaced,
});

const RBAC = 'rbac.authorization.k8s.io';

/** The kinds of Kubernetes itself that something here talks about. */
export const KINDS = {
  namespace: core('Namespace', 'namespaces', false),
  node: core('Node', 'nodes', false),
  pod: core('Pod', 'pods'),
  configMap: core('ConfigMap', 'configmaps'),
  secret: core('Secret', 'secrets'),
  serviceAccount: core('ServiceAccount', 'serviceaccounts'),
  event: core('Event', 'events'),
  persistentVolume: core('PersistentVolume', 'persistentvolumes', false),
  persistentVolumeClaim: core('PersistentVolumeClaim', 'persistentvolumeclaims'),
  lease: inGroup('coordination.k8s.io', 'Lease', 'leases', true),
  certificateSigningRequest: inGroup(
    'certificates.k8s.io',
    'CertificateSigningRequest',
    'certificatesigningrequests',
    false,
  ),
  volumeAttachment: inGroup('storage.k8s.io', 'VolumeAttachment', 'volumeattachments', false),
  customResourceDefinition: inGroup(
    'apiextensions.k8s.io',
    'CustomResourceDefinition',
    'customresourcedefinitions',
    false,
  ),
  clusterRole: inGroup(RBAC, 'ClusterRole', 'clusterroles', false),
  clusterRoleBinding: inGroup(RBAC, 'ClusterRoleBinding', 'clusterrolebindings', false),
  role: inGroup(RBAC, 'Role', 'roles', true),
  roleBinding: inGroup(RBAC, 'RoleBinding', 'rolebindings', true),
} as const satisfies Readonly<Record<string, ApiKind>>;

/** What every Kubernetes object carries. The server fills what a client leaves out. */
interface ObjectMeta extends JsonObject {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly deletionTimestamp?: string;
}

/** A Kubernetes object of any kind, exactly as it travels: times are strings, unknown fields are kept. */
export interface KubeObject extends JsonObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
}

const OPTIONAL_STRINGS = ['namespace', 'uid', 'resourceVersion', 'deletionTimestamp'];
const OPTIONAL_MAPS = ['labels', 'annotations'];

/** Whether a value has the shape every Kubernetes object has. */
export function isKubeObject(value: unknown): value is KubeObject {
  if (!isJsonObject(value) || !isJsonObject(value['metadata'])) return false;
  const { metadata } = value;
  if (typeof metadata['name'] !== 'string') return false;
  return (
    OPTIONAL_STRINGS.every((field) => ['string', 'undefined'].includes(typeof metadata[field])) &&
    OPTIONAL_MAPS.every((field) => metadata[field] === undefined || isStringMap(metadata[field]))
  );
}

function isStringMap(value: unknown): boolean {
  return isJsonObject(value) && Object.values(value).every((entry) => typeof entry === 'string');
}
