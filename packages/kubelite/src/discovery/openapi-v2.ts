import type { Definitions, GroupVersionKind, Schema } from '../kinds/schema/schema.ts';

/** A PATCH as clients look it up: to learn whether the server knows a query parameter. */
export interface Operation {
  readonly parameters: readonly QueryParameter[];
  readonly responses: Readonly<Record<string, { description: string }>>;
  readonly 'x-kubernetes-action': 'patch';
  readonly 'x-kubernetes-group-version-kind': GroupVersionKind;
}

/** One query parameter of an operation. */
export interface QueryParameter {
  readonly name: string;
  readonly in: 'query';
  readonly type: 'string' | 'boolean';
}

/** The OpenAPI 2 document: the schema of every type, and what a PATCH of each kind accepts. */
export interface OpenApiV2 {
  readonly swagger: '2.0';
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, { readonly patch: Operation }>>;
  readonly definitions: Readonly<Record<string, Schema>>;
}

/** A kind the document tells about, and where its objects live. */
export interface DocumentedKind extends GroupVersionKind {
  readonly path: string;
}

const PATCH_PARAMETERS: readonly QueryParameter[] = [
  { name: 'dryRun', in: 'query', type: 'string' },
  { name: 'fieldManager', in: 'query', type: 'string' },
  { name: 'fieldValidation', in: 'query', type: 'string' },
  { name: 'force', in: 'query', type: 'boolean' },
];

/** Builds the document. `definitions` already carry `x-kubernetes-group-version-kind`. */
export function openApiV2(kinds: readonly DocumentedKind[], definitions: Definitions, version: string): OpenApiV2 {
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version },
    paths: Object.fromEntries(kinds.map((kind) => [kind.path, { patch: patchOperation(kind) }])),
    definitions: Object.fromEntries([...definitions].map(([name, schema]) => [name, looserSchema(schema)])),
  };
}

/** What a PATCH of a kind accepts. */
export function patchOperation({ group, version, kind }: GroupVersionKind): Operation {
  return {
    parameters: PATCH_PARAMETERS,
    responses: { '200': { description: 'OK' } },
    'x-kubernetes-action': 'patch',
    'x-kubernetes-group-version-kind': { group, version, kind },
  };
}

/** OpenAPI 2 cannot say "nullable" or "more fields than these", so such a field is described as anything at all. */
function looserSchema(schema: Schema): Schema {
  if (schema.$ref !== undefined) return schema;
  const { properties, items, additionalProperties, nullable, default: _, ...rest } = schema;
  if (schema['x-kubernetes-int-or-string'] === true)
    return { ...rest, type: 'string', format: schema.format ?? 'int-or-string' };
  if (nullable === true) return {};
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return { type: 'object' };
  return {
    ...rest,
    ...(properties && { properties: looserProperties(properties) }),
    ...(items && { items: looserSchema(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: looserSchema(additionalProperties) }),
  };
}

function looserProperties(properties: Readonly<Record<string, Schema>>): Record<string, Schema> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, looserSchema(schema)]));
}
