import type { ListMerge } from '../../objects/resource-kind.ts';
import { resolveSchema, type Definitions, type Schema } from './schema.ts';

/** How the list at a path of field names is merged, by the `x-kubernetes-list-type` of its schema. */
export function listMergeOf(root: Schema, definitions: Definitions, path: readonly string[]): ListMerge | undefined {
  let schema: Schema | undefined = root;
  for (const name of path) {
    schema = schema === undefined ? undefined : childSchema(resolveSchema(schema, definitions), name, definitions);
    if (schema === undefined) return undefined;
  }
  return ruleOf(resolveSchema(schema, definitions));
}

function childSchema(schema: Schema, name: string, definitions: Definitions): Schema | undefined {
  // A path has no indexes, so a step into a list is a step into its items.
  if (schema.items !== undefined) return childSchema(resolveSchema(schema.items, definitions), name, definitions);
  if (schema.properties?.[name] !== undefined) return schema.properties[name];
  if (typeof schema.additionalProperties === 'object') return schema.additionalProperties;
  return undefined;
}

function ruleOf(schema: Schema): ListMerge | undefined {
  if (schema['x-kubernetes-list-type'] === 'set') return { type: 'set' };
  const keys = schema['x-kubernetes-list-map-keys'];
  return schema['x-kubernetes-list-type'] === 'map' && keys !== undefined ? { type: 'map', keys } : undefined;
}
