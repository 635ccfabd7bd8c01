import type { KindRegistry } from '../objects/kind-registry.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import type { ResourceKind } from '../objects/resource-kind.ts';
import { versionSchema } from '../crd/custom-kind.ts';
import { GROUP_PREFIXES, OBJECT_META } from '../kinds/built-in-definitions.ts';
import { objectsAt } from '../kinds/json.ts';
import { reference, type Definitions, type GroupVersionKind, type Schema } from '../kinds/schema/schema.ts';
import { KIND_DESCRIPTIONS, withFieldDescriptions } from './descriptions.ts';

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
