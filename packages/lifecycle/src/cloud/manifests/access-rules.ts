import { CLOUD_NAMESPACE, EDGE_KINDS, type EdgeKind } from '@fenestra/contracts';
import type { JsonObject, KubeObject } from '@fenestra/kube-api';

/** The account cloudcore runs as in a cluster. */
export const CLOUD_ACCOUNT = 'cloudcore';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** The rules for the verbs of kinds. Resources of one group with the same verbs share a rule. */
function rulesFor(kinds: readonly EdgeKind[]): readonly JsonObject[] {
  const rules = new Map<string, Rule>();
  for (const { group, plural, verbs: bySubresource = {} } of kinds) {
    for (const [subresource, verbs] of Object.entries(bySubresource)) {
      const key = [group, ...verbs].join(' ');
      const resource = subresource === '' ? plural : `${plural}/${subresource}`;
      const others = rules.get(key)?.resources ?? [];
      rules.set(key, { apiGroups: [group], resources: [...others, resource], verbs });
    }
  }
  return Array.from(rules.values(), (rule) => ({ ...rule }));
}

// Certificates and the join token are stored in Secrets of the namespace of cloudcore, the only ones it may write.
const OWN_RULES: readonly JsonObject[] = [
  { apiGroups: [''], resources: ['secrets'], verbs: ['create', 'update', 'patch'] },
];

const RBAC = 'rbac.authorization.k8s.io';
const SUBJECTS: readonly JsonObject[] = [{ kind: 'ServiceAccount', name: CLOUD_ACCOUNT, namespace: CLOUD_NAMESPACE }];

const named = (kind: string, namespace?: string): Pick<KubeObject, 'apiVersion' | 'kind' | 'metadata'> => ({
  apiVersion: `${RBAC}/v1`,
  kind,
  metadata: { name: CLOUD_ACCOUNT, ...(namespace === undefined ? {} : { namespace }) },
});

/** The roles of cloudcore in a cluster: exactly the verbs of `EDGE_KINDS`, and writing its own Secrets. */
export const ACCESS_RULES: readonly KubeObject[] = [
  { ...named('ClusterRole'), rules: rulesFor(Object.values(EDGE_KINDS)) },
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
