import { OPERATIONS } from './wire/route-names.ts';

/** The names of a kind in the Kubernetes API. The group of the core kinds is an empty string. */
export interface KindNames {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

/** How cloudcore synchronises a kind to nodes. */
interface KindSync {
  /** The operation of the first message about an object, as upstream sends it. */
  readonly firstOperation: string;
  /** Limits which objects cloudcore follows. */
  readonly fieldSelector?: string;
}

/** A kind that cloudcore or a node agent works with. */
export interface EdgeKind extends KindNames {
  /** The type token in the resource strings of messages. */
  readonly type: string;
  /** Present if cloudcore follows the kind, sends its objects to nodes and records what nodes acknowledged. */
  readonly sync?: KindSync;
  /** Whether node agents store objects of the kind and serve them from the local API. */
  readonly stored?: true;
  /** What cloudcore may do: verbs by subresource; the key of the object itself is empty. */
  readonly verbs?: Readonly<Record<string, readonly string[]>>;
  /** Present if cloudcore installs the CRD: what the CRD accepts. */
  readonly schema?: 'sync-record' | 'any';
}

/** A kind that cloudcore sends to nodes. */
export type SyncedKind = EdgeKind & { readonly sync: KindSync };

const FOLLOW = ['get', 'list', 'watch'];
const INSERT: KindSync = { firstOperation: OPERATIONS.insert };
const UPDATE: KindSync = { firstOperation: OPERATIONS.update };
const ASSIGNED_PODS: KindSync = { ...INSERT, fieldSelector: 'spec.nodeName!=' };
const RECORD = {
  verbs: { '': [...FOLLOW, 'create', 'update', 'patch', 'delete'], status: ['get', 'update', 'patch'] },
  schema: 'sync-record',
} as const;

/**
 * Every kind that cloudcore and node agents work with, one line each. The informers and sync records of cloudcore, its
 * ClusterRole, the CRDs that are installed and the kinds that node agents serve follow from this table.
 */
// oxfmt-ignore
export const EDGE_KINDS = {
  node: { ...core('Node', 'nodes', false), sync: UPDATE, stored: true, verbs: { '': [...FOLLOW, 'create', 'patch'], status: ['patch'] } },
  pod: { ...core('Pod', 'pods'), sync: ASSIGNED_PODS, stored: true, verbs: { '': [...FOLLOW, 'create', 'delete'], status: ['patch'] } },
  configMap: { ...core('ConfigMap', 'configmaps'), sync: INSERT, stored: true, verbs: { '': FOLLOW } },
  secret: { ...core('Secret', 'secrets'), sync: UPDATE, stored: true, verbs: { '': FOLLOW } },
  service: { ...core('Service', 'services'), stored: true },
  endpoints: { ...core('Endpoints', 'endpoints'), stored: true },
  serviceAccount: { ...core('ServiceAccount', 'serviceaccounts'), verbs: { token: ['create'] } },
  event: { ...core('Event', 'events'), verbs: { '': ['get', 'create', 'update', 'patch'] } },
  persistentVolumeClaim: { ...core('PersistentVolumeClaim', 'persistentvolumeclaims'), stored: true, verbs: { '': ['get'] } },
  persistentVolume: { ...core('PersistentVolume', 'persistentvolumes', false), stored: true, verbs: { '': ['get'] } },
  lease: { ...named('coordination.k8s.io/v1', 'Lease', 'leases'), stored: true, verbs: { '': ['get', 'create', 'update'] } },
  certificateSigningRequest: { ...named('certificates.k8s.io/v1', 'CertificateSigningRequest', 'certificatesigningrequests', false), stored: true, verbs: { '': ['get', 'create'] } },
  volumeAttachment: { ...named('storage.k8s.io/v1', 'VolumeAttachment', 'volumeattachments', false), stored: true, verbs: { '': ['get'] } },
  objectSync: { ...named('reliablesyncs.kubeedge.io/v1alpha1', 'ObjectSync', 'objectsyncs'), ...RECORD },
  clusterObjectSync: { ...named('reliablesyncs.kubeedge.io/v1alpha1', 'ClusterObjectSync', 'clusterobjectsyncs', false), ...RECORD },
  device: { ...named('devices.kubeedge.io/v1beta1', 'Device', 'devices'), stored: true, schema: 'any' },
  deviceModel: { ...named('devices.kubeedge.io/v1beta1', 'DeviceModel', 'devicemodels'), stored: true, schema: 'any' },
  deviceStatus: { ...named('devices.kubeedge.io/v1beta1', 'DeviceStatus', 'devicestatuses'), schema: 'any' },
  nodeUpgradeJob: { ...named('operations.kubeedge.io/v1alpha2', 'NodeUpgradeJob', 'nodeupgradejobs', false), schema: 'any' },
  imagePrePullJob: { ...named('operations.kubeedge.io/v1alpha2', 'ImagePrePullJob', 'imageprepulljobs', false), schema: 'any' },
  configUpdateJob: { ...named('operations.kubeedge.io/v1alpha2', 'ConfigUpdateJob', 'configupdatejobs', false), schema: 'any' },
  rule: { ...named('rules.kubeedge.io/v1', 'Rule', 'rules'), schema: 'any' },
  ruleEndpoint: { ...named('rules.kubeedge.io/v1', 'RuleEndpoint', 'ruleendpoints'), schema: 'any' },
  serviceAccountAccess: { ...named('policy.kubeedge.io/v1alpha1', 'ServiceAccountAccess', 'serviceaccountaccesses'), stored: true, schema: 'any' },
} as const satisfies Readonly<Record<string, EdgeKind>>;

const ALL: readonly EdgeKind[] = Object.values(EDGE_KINDS);

/** The kinds that cloudcore sends to nodes. */
export const SYNCED_KINDS: readonly SyncedKind[] = ALL.filter((kind): kind is SyncedKind => kind.sync !== undefined);

/** The kinds that node agents store, by type token. */
export const STORED_KINDS: ReadonlyMap<string, EdgeKind> = new Map(
  ALL.filter(({ stored }) => stored === true).map((kind) => [kind.type, kind]),
);

function core(kind: string, plural: string, namespaced = true) {
  return named('v1', kind, plural, namespaced);
}

function named(apiVersion: string, kind: string, plural: string, namespaced = true) {
  const slash = apiVersion.indexOf('/');
  const group = slash < 0 ? '' : apiVersion.slice(0, slash);
  return { group, version: apiVersion.slice(slash + 1), kind, plural, namespaced, type: kind.toLowerCase() };
}
