import type { ResourceKind } from '../objects/resource-kind.ts';

const BASE: Omit<ResourceKind, 'kind' | 'plural' | 'singular'> = {
  group: '',
  version: 'v1',
  shortNames: [],
  namespaced: true,
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  hasStatus: false,
  hasGeneration: false,
  subresources: [],
  columns: [],
  selectableFields: [],
  strategicMerge: true,
};

/** Namespaces without any rules. */
export const NAMESPACES: ResourceKind = {
  ...BASE,
  kind: 'Namespace',
  plural: 'namespaces',
  singular: 'namespace',
  namespaced: false,
};

/** Plain data. */
export const CONFIG_MAPS: ResourceKind = {
  ...BASE,
  kind: 'ConfigMap',
  plural: 'configmaps',
  singular: 'configmap',
  validate: (object) =>
    object['data'] === 'bad'
      ? [{ field: 'data', reason: 'FieldValueInvalid', message: 'Invalid value: "bad": must be a map' }]
      : [],
  unknownFields: (object) => (object['unknown'] === undefined ? [] : ['unknown']),
};

/** Status, generation, grace and its own subresource. */
export const PODS: ResourceKind = {
  ...BASE,
  kind: 'Pod',
  plural: 'pods',
  singular: 'pod',
  hasStatus: true,
  hasGeneration: true,
  selectableFields: ['spec.nodeName'],
  deletionGraceSeconds: (_object, asked) => asked ?? 30,
  subresources: [
    {
      name: 'echo',
      kind: 'Echo',
      verbs: ['create'],
      handle: async ({ body, name }) => ({
        status: 201,
        body: { kind: 'Echo', apiVersion: 'v1', name, body: body ?? null },
      }),
    },
  ],
};

/** A custom resource in two versions. */
export const WIDGETS: readonly ResourceKind[] = ['v1', 'v2'].map((version) => ({
  ...BASE,
  group: 'example.com',
  version,
  storageVersion: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  singular: 'widget',
  strategicMerge: false,
}));
