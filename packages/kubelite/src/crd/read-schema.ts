import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  objectAt,
  objectsAt,
  stringAt,
  stringsAt,
} from '../objects/json.ts';
import type { Schema } from '../kinds/schema/schema.ts';

const FLAGS = [
  'nullable',
  'x-kubernetes-int-or-string',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
] as const;
const TEXTS = ['type', 'format', 'description', 'x-kubernetes-list-type'] as const;

/** The schema of a version of a definition. */
export function schemaOf(version: JsonObject): JsonObject {
  return objectAt(version, 'schema', 'openAPIV3Schema');
}

/** The structural part of an `openAPIV3Schema`: which fields there are, and how they are defaulted and merged. */
export function readSchema(schema: JsonObject): Schema {
  const required = stringsAt(schema, 'required');
  const keys = stringsAt(schema, 'x-kubernetes-list-map-keys');
  const { items, properties, additionalProperties: others, default: fallback } = schema;
  return {
    ...pick(schema, TEXTS, (value) => typeof value === 'string'),
    ...pick(schema, FLAGS, (value) => typeof value === 'boolean'),
    ...(required.length > 0 && { required }),
    ...(keys.length > 0 && { 'x-kubernetes-list-map-keys': keys }),
    ...(fallback !== undefined && { default: fallback }),
    ...(isJsonObject(items) && { items: readSchema(items) }),
    ...(isJsonObject(properties) && { properties: readProperties(properties) }),
    ...(isJsonObject(others) && { additionalProperties: readSchema(others) }),
    ...(typeof others === 'boolean' && { additionalProperties: others }),
  };
}

function readProperties(properties: JsonObject): Record<string, Schema> {
  return Object.fromEntries(Object.keys(properties).map((name) => [name, readSchema(objectAt(properties, name))]));
}

function pick<Name extends string, Value extends Json>(
  schema: JsonObject,
  names: readonly Name[],
  fits: (value: Json | undefined) => value is Value,
): Partial<Record<Name, Value>> {
  const picked: Partial<Record<Name, Value>> = {};
  for (const name of names) {
    const value = schema[name];
    if (fits(value)) picked[name] = value;
  }
  return picked;
}

const RULES = 'x-kubernetes-validations';

/** Warns about what a definition asks for and this API does not do. */
export function definitionWarnings(definition: JsonObject): readonly string[] {
  return objectsAt(definition, 'spec', 'versions').flatMap((version, index) => {
    const field = `spec.versions[${index}]`;
    const ruled = ruledFields(version, 1);
    const scale = objectAt(version, 'subresources')['scale'];
    return [
      ...(ruled.length === 0
        ? []
        : [`${field}.schema: ${RULES} are stored but not evaluated: objects that break them are accepted`]),
      ...(scale === undefined ? [] : [`${field}.subresources.scale: the embedded API does not serve scale`]),
    ];
  });
}

/** Warns anyone who writes an object about rules that no one has checked. */
export function objectWarnings(definition: JsonObject, version: JsonObject): readonly string[] {
  const ruled = ruledFields(version, SHOWN_FIELDS + 1);
  if (ruled.length === 0) return [];
  const kind = stringAt(definition, 'spec', 'names', 'kind');
  const fields = ruled.slice(0, SHOWN_FIELDS).join(', ') + (ruled.length > SHOWN_FIELDS ? ', …' : '');
  return [`the embedded API does not evaluate the validation rules (CEL) of ${kind} at: ${fields}`];
}

const SHOWN_FIELDS = 5;
const MAX_FIELD = 200;

/** The first fields with validation rules; the object as a whole is `object`. */
function ruledFields(version: JsonObject, limit: number): readonly string[] {
  const found = new Set<string>();
  const visit = (schema: Json | undefined, path: string): void => {
    if (!isJsonObject(schema) || found.size >= limit) return;
    const rules = schema[RULES];
    if (isJsonArray(rules) && rules.length > 0) found.add(path === '' ? 'object' : path);
    for (const [name, child] of Object.entries(objectAt(schema, 'properties'))) visit(child, fieldBelow(path, name));
    visit(schema['items'], `${path}[]`);
    visit(schema['additionalProperties'], `${path}.*`);
    for (const list of ['allOf', 'anyOf', 'oneOf']) for (const part of objectsAt(schema, list)) visit(part, path);
    visit(schema['not'], path);
  };
  visit(schemaOf(version), '');
  return [...found];
}

/** A path of bounded length: many long ones would exhaust the memory. */
function fieldBelow(path: string, name: string): string {
  const short = name.slice(0, MAX_FIELD);
  if (path === '') return short;
  return path.length > MAX_FIELD ? path : `${path}.${short}`;
}
