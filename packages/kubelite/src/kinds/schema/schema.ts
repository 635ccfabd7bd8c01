import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../objects/json.ts';
import type { ListMerge } from '../../objects/resource-kind.ts';

/** The part of OpenAPI's schema language that describes a kind, with the `x-kubernetes-` extensions this API obeys. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly nullable?: boolean;
  readonly default?: Json;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
  readonly 'x-kubernetes-group-version-kind'?: readonly GroupVersionKind[];
}

/** What an object says it is. The core group is `''`. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Schemas by full name, such as `io.k8s.api.core.v1.Pod`. */
export type Definitions = ReadonlyMap<string, Schema>;

const DEFINITIONS = '#/definitions/';

/** A reference to a schema by its full name. */
export function reference(name: string): Schema {
  return { $ref: DEFINITIONS + name };
}

/** The schema itself, or the one it refers to. */
export function resolveSchema(schema: Schema, definitions: Definitions): Schema {
  if (schema.$ref === undefined) return schema;
  return definitions.get(schema.$ref.slice(DEFINITIONS.length)) ?? {};
}

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

/** A copy with the defaults a schema names, for fields that are missing, or null where null is not allowed. */
export function withSchemaDefaults(value: Json, schema: Schema): Json {
  const { items } = schema;
  if (isJsonArray(value)) return items === undefined ? value : value.map((item) => withSchemaDefaults(item, items));
  return isJsonObject(value) ? defaultObject(value, schema) : value;
}

function defaultObject(object: JsonObject, schema: Schema): JsonObject {
  const result = new Map(Object.entries(object));
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const given = result.get(name);
    const value = given ?? (given === null && field.nullable === true ? null : field.default);
    if (value === undefined) result.delete(name);
    else result.set(name, withSchemaDefaults(value, field));
  }
  const others = schema.additionalProperties;
  const filled = Object.fromEntries(result);
  return typeof others === 'object' ? defaultOthers(filled, schema, others) : filled;
}

function defaultOthers(object: Readonly<JsonObject>, schema: Schema, others: Schema): JsonObject {
  const properties = schema.properties ?? {};
  const entries = Object.entries(object).map(([name, value]) =>
    value === undefined || Object.hasOwn(properties, name) ? [name, value] : [name, withSchemaDefaults(value, others)],
  );
  return Object.fromEntries(entries);
}
