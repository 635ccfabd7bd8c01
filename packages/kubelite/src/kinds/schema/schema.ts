import type { Json } from '../../objects/json.ts';

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
