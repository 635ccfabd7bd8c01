import { versionSchema } from '../crd/custom-kind.ts';
import { GROUP_PREFIXES, OBJECT_META } from '../kinds/built-in-definitions.ts';
import { objectsAt } from '../objects/json.ts';
import { type Definitions, type GroupVersionKind, reference, type Schema } from '../kinds/schema/schema.ts';
import type { KindRegistry } from '../objects/gatekeeper.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import type { ResourceKind } from '../objects/resource-kind.ts';

/** The full name of a kind's schema in the OpenAPI documents. */
export function definitionName({ group, version, kind }: GroupVersionKind): string {
  const prefix = GROUP_PREFIXES[group] ?? [...group.split('.').toReversed(), version].join('.');
  return `${prefix}.${kind}`;
}

/** Every schema the API has: the built-in ones, and those of the custom resources in force. */
export function allDefinitions(
  builtIn: Definitions,
  registry: KindRegistry,
  customDefinitions: readonly KubeObject[],
): Definitions {
  const all = new Map(builtIn);
  for (const kind of registry.all()) {
    const name = definitionName(kind);
    const schema = all.get(name) ?? customSchema(kind, customDefinitions);
    if (schema !== undefined) all.set(name, withIdentity(schema, kind));
    for (const { kind: body, group, version } of kind.subresources) {
      const owner = { group: group ?? kind.group, version: version ?? kind.version, kind: body };
      const own = all.get(definitionName(owner));
      if (own !== undefined) all.set(definitionName(owner), withIdentity(own, owner));
    }
  }
  return all;
}

function customSchema(kind: ResourceKind, definitions: readonly KubeObject[]): Schema | undefined {
  const definition = definitions.find((candidate) => candidate.metadata.name === `${kind.plural}.${kind.group}`);
  const version = objectsAt(definition, 'spec', 'versions').find((candidate) => candidate['name'] === kind.version);
  if (version === undefined) return undefined;
  const schema = versionSchema(version);
  return { ...schema, properties: { ...schema.properties, metadata: reference(OBJECT_META) } };
}

function withIdentity(schema: Schema, { group, version, kind }: GroupVersionKind): Schema {
  const description = schema.description ?? KIND_DESCRIPTIONS[kind];
  return {
    ...schema,
    ...(description !== undefined && { description }),
    ...(schema.properties && { properties: withFieldDescriptions(schema.properties) }),
    'x-kubernetes-group-version-kind': [{ group, version, kind }],
  };
}

/** What `kubectl explain` says of a kind. */
const KIND_DESCRIPTIONS: Readonly<Record<string, string>> = {
  Binding: 'The assignment of a pod to a node.',
  CertificateSigningRequest: 'A request for a certificate, and its result.',
  ConfigMap: 'Configuration as keys and values, for pods to read.',
  CustomResourceDefinition: 'Defines a further kind of object that the API serves.',
  Endpoints: 'The addresses behind a service.',
  Event: 'Something that happened to an object.',
  Eviction: 'Asks for a pod to be removed from its node.',
  Lease: 'Shows that its holder is running, or which of several is the leader.',
  Namespace: 'A scope for names.',
  Node: 'A machine that runs pods.',
  Pod: 'Containers that run together on one node.',
  Secret: 'Values to be kept to oneself, for pods to read.',
  Service: 'A name and ports for a set of pods.',
  ServiceAccount: 'An identity for pods.',
  TokenRequest: 'Asks for a token of a service account.',
};

const FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  apiVersion: 'Group and version of the kind, such as "v1".',
  kind: 'What the object is.',
  metadata: 'Name, labels, annotations and what the API keeps about the object.',
  spec: 'What is wanted.',
  status: 'What is.',
};

/** The fields of a kind with what is the same for all of them, where they say nothing of their own. */
function withFieldDescriptions(properties: Readonly<Record<string, Schema>>): Record<string, Schema> {
  const described = Object.entries(properties).map(([name, schema]) => {
    const description = schema.description ?? FIELD_DESCRIPTIONS[name];
    return [name, description === undefined ? schema : { ...schema, description }] as const;
  });
  return Object.fromEntries(described);
}
