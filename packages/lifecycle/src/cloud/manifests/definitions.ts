import { EDGE_KINDS, type EdgeKind } from '@fenestra/contracts';
import type { JsonObject, KubeObject } from '@fenestra/kube-api';

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
export const DEFINITIONS: readonly KubeObject[] = Object.values<EdgeKind>(EDGE_KINDS).flatMap((kind) =>
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
