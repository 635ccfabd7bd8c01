import type { Schema } from '../kinds/schema/schema.ts';
import type { OpenApiV2, Operation } from './openapi-v2.ts';
import { bytesField, flagField, message, textField } from './protobuf.ts';

/**
 * The document in gnostic's protobuf form.
 * https://github.com/google/gnostic-models/blob/main/openapiv2/OpenAPIv2.proto names the field numbers.
 */
export function encodeOpenApiV2(document: OpenApiV2): Buffer {
  return message([
    textField(1, document.swagger),
    bytesField(2, message([textField(1, document.info.title), textField(2, document.info.version)])),
    bytesField(8, message(Object.entries(document.paths).map(([path, { patch }]) => encodePath(path, patch)))),
    bytesField(9, encodeNamedSchemas(document.definitions)),
  ]);
}

function encodePath(path: string, patch: Operation): Buffer {
  const parameters = patch.parameters.map(({ name }) => {
    const query = message([textField(2, 'query'), textField(4, name), textField(6, 'string')]);
    return bytesField(8, bytesField(1, bytesField(2, bytesField(3, query))));
  });
  const operation = message([
    ...parameters,
    bytesField(9, Buffer.alloc(0)),
    encodeExtension(13, 'x-kubernetes-group-version-kind', patch['x-kubernetes-group-version-kind']),
  ]);
  return bytesField(2, message([textField(1, path), bytesField(2, bytesField(8, operation))]));
}

function encodeNamedSchemas(schemas: Readonly<Record<string, Schema>>): Buffer {
  const named = Object.entries(schemas).map(([name, schema]) =>
    bytesField(1, message([textField(1, name), bytesField(2, encodeSchema(schema))])),
  );
  return message(named);
}

function encodeSchema(schema: Schema): Buffer {
  return message([
    textField(1, schema.$ref ?? ''),
    textField(2, schema.format ?? ''),
    textField(4, schema.description ?? ''),
    ...(schema.required ?? []).map((name) => textField(19, name)),
    encodeAdditionalProperties(schema.additionalProperties),
    schema.type === undefined ? Buffer.alloc(0) : bytesField(22, textField(1, schema.type)),
    schema.items === undefined ? Buffer.alloc(0) : bytesField(23, bytesField(1, encodeSchema(schema.items))),
    schema.properties === undefined ? Buffer.alloc(0) : bytesField(25, encodeNamedSchemas(schema.properties)),
    ...Object.entries(schema)
      .filter(([name]) => name.startsWith('x-kubernetes-'))
      .map(([name, value]) => encodeExtension(31, name, value)),
  ]);
}

function encodeAdditionalProperties(schema: Schema | boolean | undefined): Buffer {
  if (schema === undefined) return Buffer.alloc(0);
  if (typeof schema === 'boolean') return bytesField(21, flagField(2, schema));
  return bytesField(21, bytesField(1, encodeSchema(schema)));
}

/** An extension's value is YAML text, and JSON is YAML. */
function encodeExtension(field: number, name: string, value: unknown): Buffer {
  return bytesField(field, message([textField(1, name), bytesField(2, textField(2, JSON.stringify(value)))]));
}
