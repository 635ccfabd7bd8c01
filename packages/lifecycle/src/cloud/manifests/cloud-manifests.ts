import { CLOUD_NAMESPACE, EDGE_KINDS, type EdgeKind } from '@fenestra/contracts';
import type { KubeObject, JsonObject } from '@fenestra/kube-api';

const text = (description: string): JsonObject => ({ type: 'string', description });
// Content of any form is preserved: no schema of these kinds is read here.
const anything: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

const PROPERTIES: Readonly<Record<NonNullable<EdgeKind['schema']>, JsonObject>> = {
  'sync-record': {
    spec: {
      type: 'object',
      properties: {
        objectAPIVersion: text('API version of the object at the node.'),
        objectKind: text('Kind of the object at the node.'),
        objectName: text('Name of the object at the node.'),
      },
    },
    status: {
      type: 'object',
      properties: { objectResourceVersion: text('Version of the object that the node has acknowledged last.') },
    },
  },
  any: { spec: anything, status: anything },
};

/** The CRDs cloudcore installs: the sync records it needs, and the kinds that upstream's tools write. */
const DEFINITIONS: readonly KubeObject[] = Object.values<EdgeKind>(EDGE_KINDS).flatMap((kind) =>
  kind.schema === undefined ? [] : [customResourceDefinition(kind, kind.schema)],
);

function customResourceDefinition(names: EdgeKind, schema: keyof typeof PROPERTIES): KubeObject {
  const { group, version, kind, plural, namespaced } = names;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: namespaced ? 'Namespaced' : 'Cluster',
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: { type: 'object', description: descriptionOf(names), properties: PROPERTIES[schema] },
          },
        },
      ],
    },
  };
}

function descriptionOf({ schema, namespaced, kind }: EdgeKind): string {
  if (schema !== 'sync-record') return `${kind} of KubeEdge.`;
  const object = namespaced ? 'an object in this namespace' : 'a cluster-wide object';
  return `What a node has of ${object}. Named after the node and the uid of the object.`;
}

const CLOUD_ACCOUNT = 'cloudcore';

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
const ACCESS_RULES: readonly KubeObject[] = [
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

/** Which cluster the manifests are for. */
export interface ManifestChoice {
  /** The embedded API has fixed rights: no roles to install. */
  readonly embedded: boolean;
}

/** Everything a cluster needs for cloudcore to work in it, in the order of installation. */
export function cloudManifests({ embedded }: ManifestChoice): readonly KubeObject[] {
  const metadata = { name: CLOUD_ACCOUNT, namespace: CLOUD_NAMESPACE };
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: CLOUD_NAMESPACE } },
    ...DEFINITIONS,
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    ...(embedded ? [] : ACCESS_RULES),
  ];
}
