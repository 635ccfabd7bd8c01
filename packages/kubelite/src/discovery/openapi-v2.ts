import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { Definitions, GroupVersionKind, Schema } from '../kinds/schema/schema.ts';

/** A PATCH as clients look it up: to learn whether the server knows a query parameter. */
export interface Operation {
  readonly parameters: readonly QueryParameter[];
  readonly responses: Readonly<Record<string, { description: string }>>;
  readonly 'x-kubernetes-action': 'patch';
  readonly 'x-kubernetes-group-version-kind': GroupVersionKind;
}

/** One query parameter of an operation. */
interface QueryParameter {
  readonly name: string;
  readonly in: 'query';
  readonly type: 'string' | 'boolean';
}

/** The OpenAPI 2 document: the schema of every type, and what a PATCH of each kind accepts. */
interface OpenApiV2 {
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

/**
 * The document in gnostic's protobuf form.
 * https://github.com/google/gnostic-models/blob/main/openapiv2/OpenAPIv2.proto names the field numbers.
 */
export function encodeOpenApiV2(document: OpenApiV2): Buffer {
  return joinFields(
    textField(1, document.swagger),
    bytesField(2, joinFields(textField(1, document.info.title), textField(2, document.info.version))),
    bytesField(8, Buffer.concat(Object.entries(document.paths).map(([path, { patch }]) => encodePath(path, patch)))),
    bytesField(9, encodeNamedSchemas(document.definitions)),
  );
}

function encodePath(path: string, patch: Operation): Uint8Array {
  const parameters = patch.parameters.map(({ name }) => {
    const query = joinFields(textField(2, 'query'), textField(4, name), textField(6, 'string'));
    return bytesField(8, bytesField(1, bytesField(2, bytesField(3, query))));
  });
  const operation = joinFields(
    ...parameters,
    bytesField(9, new Uint8Array()),
    encodeExtension(13, 'x-kubernetes-group-version-kind', patch['x-kubernetes-group-version-kind']),
  );
  return bytesField(2, joinFields(textField(1, path), bytesField(2, bytesField(8, operation))));
}

function encodeNamedSchemas(schemas: Readonly<Record<string, Schema>>): Uint8Array {
  const named = Object.entries(schemas).map(([name, schema]) =>
    bytesField(1, joinFields(textField(1, name), bytesField(2, encodeSchema(schema)))),
  );
  return Buffer.concat(named);
}

function encodeSchema(schema: Schema): Uint8Array {
  return joinFields(
    textField(1, schema.$ref ?? ''),
    textField(2, schema.format ?? ''),
    textField(4, schema.description ?? ''),
    ...(schema.required ?? []).map((name) => textField(19, name)),
    encodeAdditionalProperties(schema.additionalProperties),
    schema.type === undefined ? new Uint8Array() : bytesField(22, textField(1, schema.type)),
    schema.items === undefined ? new Uint8Array() : bytesField(23, bytesField(1, encodeSchema(schema.items))),
    schema.properties === undefined ? new Uint8Array() : bytesField(25, encodeNamedSchemas(schema.properties)),
    ...Object.entries(schema)
      .filter(([name]) => name.startsWith('x-kubernetes-'))
      .map(([name, value]) => encodeExtension(31, name, value)),
  );
}

function encodeAdditionalProperties(schema: Schema | boolean | undefined): Uint8Array {
  if (schema === undefined) return new Uint8Array();
  if (typeof schema === 'boolean') return bytesField(21, numberField(2, Number(schema)));
  return bytesField(21, bytesField(1, encodeSchema(schema)));
}

/** An extension's value is YAML text, and JSON is YAML. */
function encodeExtension(field: number, name: string, value: unknown): Uint8Array {
  return bytesField(field, joinFields(textField(1, name), bytesField(2, textField(2, JSON.stringify(value)))));
}

/** A text field. An empty one is omitted, as the format prescribes. */
function textField(number: number, text: string): Uint8Array {
  return text === '' ? new Uint8Array() : bytesField(number, Buffer.from(text));
}

/** A field that holds another message. */
function bytesField(number: number, bytes: Uint8Array): Uint8Array {
  return new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(bytes).finish();
}

/** A field for a number that is not negative, or a flag. Zero is omitted. */
function numberField(number: number, value: number): Uint8Array {
  return value === 0 ? new Uint8Array() : new BinaryWriter().tag(number, WireType.Varint).uint64(value).finish();
}

function joinFields(...fields: readonly Uint8Array[]): Buffer {
  return Buffer.concat(fields);
}
