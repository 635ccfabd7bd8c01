import type { JsonObject, KubeObject } from '@fenestra/kube-api';

/** A custom kind in as few words as possible. */
export interface CustomResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly description: string;
  /** Schemas of `spec` and `status`. */
  readonly properties: JsonObject;
}

/** Writes the definition the API server wants, with a status of its own. */
export function customResourceDefinition(resource: CustomResource): KubeObject {
  const { group, version, kind, plural, scope, description, properties } = resource;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: 'object', description, properties } },
        },
      ],
    },
  };
}
