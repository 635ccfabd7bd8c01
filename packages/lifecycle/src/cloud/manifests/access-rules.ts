import { CLOUD_NAMESPACE, OBJECT_SYNC } from '@fenestra/contracts';
import type { JsonObject, KubeObject } from '@fenestra/kube-api';

/** The account cloudcore runs as in a cluster. */
export const CLOUD_ACCOUNT = 'cloudcore';

const READ = ['get', 'list', 'watch'];
const rule = (apiGroups: readonly string[], resources: readonly string[], verbs: readonly string[]): JsonObject => ({
  apiGroups,
  resources,
  verbs,
});

const RULES: readonly JsonObject[] = [
  rule([''], ['nodes'], [...READ, 'create', 'patch']),
  rule([''], ['pods'], [...READ, 'create', 'delete']),
  rule([''], ['nodes/status', 'pods/status'], ['patch']),
  rule([''], ['configmaps', 'secrets'], READ),
  rule([''], ['serviceaccounts/token'], ['create']),
  rule([''], ['events'], ['create', 'update', 'patch']),
  rule([''], ['persistentvolumes', 'persistentvolumeclaims'], ['get']),
  rule(['storage.k8s.io'], ['volumeattachments'], ['get']),
  rule(['coordination.k8s.io'], ['leases'], ['get', 'create', 'update']),
  rule(['certificates.k8s.io'], ['certificatesigningrequests'], ['get', 'create']),
  rule(
    [OBJECT_SYNC.group],
    [OBJECT_SYNC.namespaced.plural, OBJECT_SYNC.cluster.plural],
    [...READ, 'create', 'update', 'patch', 'delete'],
  ),
  rule(
    [OBJECT_SYNC.group],
    [`${OBJECT_SYNC.namespaced.plural}/status`, `${OBJECT_SYNC.cluster.plural}/status`],
    ['get', 'update', 'patch'],
  ),
];

// Certificates and the join token are kept in secrets of its own namespace, and only there may it write any.
const OWN_RULES: readonly JsonObject[] = [rule([''], ['secrets'], ['create', 'update', 'patch'])];

const RBAC = 'rbac.authorization.k8s.io';
const SUBJECTS: readonly JsonObject[] = [{ kind: 'ServiceAccount', name: CLOUD_ACCOUNT, namespace: CLOUD_NAMESPACE }];

const named = (kind: string, namespace?: string): Pick<KubeObject, 'apiVersion' | 'kind' | 'metadata'> => ({
  apiVersion: `${RBAC}/v1`,
  kind,
  metadata: { name: CLOUD_ACCOUNT, ...(namespace === undefined ? {} : { namespace }) },
});

/** What cloudcore may do in a cluster, and not a verb more. */
export const ACCESS_RULES: readonly KubeObject[] = [
  { ...named('ClusterRole'), rules: RULES },
  {
    ...named('ClusterRoleBinding'),
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: CLOUD_ACCOUNT },
    subjects: SUBJECTS,
  },
  { ...named('Role', CLOUD_NAMESPACE), rules: OWN_RULES },
  {
    ...named('RoleBinding', CLOUD_NAMESPACE),
    roleRef: { apiGroup: RBAC, kind: 'Role', name: CLOUD_ACCOUNT },
    subjects: SUBJECTS,
  },
];
