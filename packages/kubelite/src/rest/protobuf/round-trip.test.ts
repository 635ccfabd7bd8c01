import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { builtInDefinitions, GROUP_PREFIXES } from '../../kinds/built-in-definitions.ts';
import { findTypeMismatch, pruneUnknown } from '../../kinds/schema/check.ts';
import { reference, resolveSchema, type Schema } from '../../kinds/schema/schema.ts';
import type { Json, JsonObject } from '../../objects/json.ts';
import { encodeMessage, encodeObject } from '../../testing/encode-protobuf.ts';
import { decodeMessage } from './decode-message.ts';
import { protobufReader } from './decode-object.ts';
import { FORMS, type MessageField, readMessageTables } from './read-tables.ts';

const DEFINITIONS = builtInDefinitions();
const TABLES = readMessageTables();
const READER = protobufReader();
// Deeper parts are messages that are tested on their own.
const DEPTH = 1;

/** Every kind that is served, as its group, its name and its full name. */
const KINDS = Object.entries(GROUP_PREFIXES).flatMap(([group, prefix]) =>
  [...DEFINITIONS].flatMap(([name, { properties = {} }]) =>
    name.startsWith(`${prefix}.`) && properties['kind'] && properties['metadata']
      ? [{ apiVersion: group === '' ? 'v1' : `${group}/v1`, kind: name.slice(prefix.length + 1), name }]
      : [],
  ),
);

test.each(KINDS)('protobuf and JSON know the same fields of $apiVersion $kind', ({ name }) => {
  expect(differences(name, name, new Set())).toEqual([]);
});

test.each(KINDS)('every field of $apiVersion $kind survives in JSON and in protobuf', ({ apiVersion, kind, name }) => {
  for (const message of reachable(name, new Set()))
    for (const [complete, numRuns] of [
      [true, 2],
      [false, 10],
    ] as const)
      fc.assert(
        fc.property(messageArbitrary(message, DEPTH, complete), (object) => survives(object, message)),
        { numRuns },
      );
  const whole = messageArbitrary(name, DEPTH, true);
  fc.assert(
    fc.property(whole, (fields) => {
      const object = { ...fields, apiVersion, kind };
      expect(READER.read(encodeObject(object, name, TABLES))).toEqual(object);
    }),
    { numRuns: 2 },
  );
});

test('DeleteOptions are read in every API version', () => {
  const name = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions';
  for (const apiVersion of ['v1', 'policy/v1', 'meta.k8s.io/v1'])
    fc.assert(
      fc.property(messageArbitrary(name, DEPTH, true), (fields) => {
        const object = { ...fields, apiVersion, kind: 'DeleteOptions' };
        expect(READER.read(encodeObject(object, name, TABLES))).toEqual(object);
      }),
      { numRuns: 3 },
    );
});

function survives(object: JsonObject, name: string): void {
  expect(decodeMessage(encodeMessage(object, name, TABLES), name, TABLES)).toEqual(object);
  if (!DEFINITIONS.has(name)) return;
  expect(findTypeMismatch(object, reference(name), DEFINITIONS, '')).toBeUndefined();
  expect(pruneUnknown(object, reference(name), DEFINITIONS)).toEqual({ value: object, unknown: [] });
}

/** The message and all that it can hold, without those that are not objects in JSON. */
function reachable(message: string, found: Set<string>): ReadonlySet<string> {
  const simple = message.slice(message.lastIndexOf('.') + 1);
  if (found.has(message) || Object.hasOwn(FORMS, simple) || !TABLES.messages.has(message)) return found;
  found.add(message);
  for (const field of TABLES.messages.get(message)?.values() ?? []) reachable(field.type, found);
  return found;
}

/** Fields that one side has and the other has not, or has in another type. */
function differences(schemaName: string, messageName: string, seen: Set<string>): readonly string[] {
  if (seen.has(schemaName)) return [];
  seen.add(schemaName);
  const { properties = {} } = DEFINITIONS.get(schemaName) ?? {};
  const message = new Map(jsonFields(messageName).map((field) => [field.name, field]));
  const names = new Set([...message.keys(), ...Object.keys(properties)]);
  for (const name of ['apiVersion', 'kind']) if (properties[name] && !message.has(name)) names.delete(name);
  return [...names].flatMap((name) => {
    const [schema, field] = [properties[name], message.get(name)];
    const path = `${schemaName}.${name}`;
    if (!schema || !field) return [`${path} is only in ${schema ? 'JSON' : 'protobuf'}`];
    return fieldDifferences(schema, field, path, seen);
  });
}

function fieldDifferences(schema: Schema, field: MessageField, path: string, seen: Set<string>): readonly string[] {
  if (schema['x-kubernetes-preserve-unknown-fields']) return [];
  if (field.type.endsWith('.ExtraValue')) return shapeOf(schema) === 'map' ? [] : [path];
  if (shapeOf(schema) !== field.shape) return [`${path} is a ${shapeOf(schema)} in JSON, a ${field.shape} in protobuf`];
  const others = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  const item = schema.items ?? others ?? schema;
  if (item.$ref === undefined) return jsonType(item) === typeOf(field.type) ? [] : [`${path}: ${jsonType(item)}`];
  const name = item.$ref.slice('#/definitions/'.length);
  return name === field.type
    ? differences(name, name, seen)
    : [`${path} is ${name} in JSON, ${field.type} in protobuf`];
}

function shapeOf({ type, additionalProperties }: Schema): MessageField['shape'] {
  if (type === 'array') return 'list';
  return typeof additionalProperties === 'object' ? 'map' : 'single';
}

function jsonType(schema: Schema): string {
  const { type = '', format = '' } = resolveSchema(schema, DEFINITIONS);
  return format === '' ? type : format;
}

function typeOf(type: string): string {
  const simple = type.slice(type.lastIndexOf('.') + 1);
  const names = { bool: 'boolean', bytes: 'byte', Time: 'date-time', MicroTime: 'date-time', Quantity: 'quantity' };
  return new Map(Object.entries({ ...names, IntOrString: 'int-or-string' })).get(simple) ?? simple;
}

/** The fields of a message as JSON has them. */
function jsonFields(message: string): readonly MessageField[] {
  const fields = [...(TABLES.messages.get(message)?.values() ?? [])];
  return fields.flatMap((field) => (field.inline ? jsonFields(field.type) : [field]));
}

function messageArbitrary(message: string, depth: number, complete: boolean): fc.Arbitrary<JsonObject> {
  const fields = jsonFields(message).filter(({ type }) => depth > 0 || !TABLES.messages.has(type));
  const shape = Object.fromEntries(fields.map((field) => [field.name, fieldArbitrary(field, depth - 1, complete)]));
  return fc.record(shape, { noNullPrototype: true, requiredKeys: complete ? Object.keys(shape) : [] });
}

function fieldArbitrary({ type, shape }: MessageField, depth: number, complete: boolean): fc.Arbitrary<Json> {
  const value = valueArbitrary(type, depth, complete);
  if (shape === 'list') return fc.array(value, { minLength: 1, maxLength: 2 });
  return shape === 'map' ? fc.dictionary(KEY, value, { minKeys: 1, maxKeys: 2, noNullPrototype: true }) : value;
}

const KEY = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('__proto__', 'constructor', 'toString', 'ключ'));
const TEXT = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1 }).filter((text) => text.isWellFormed()),
  KEY,
);
const SECONDS = fc.integer({ min: 1, max: 4_000_000_000 });
const ANY: fc.Arbitrary<Json> = fc.constantFrom(null, 1.5, 'x', { f: { '.': {} } }, [true, []]);

const VALUES: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  string: TEXT,
  bytes: fc.uint8Array({ minLength: 1 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  bool: fc.constant(true),
  int32: fc.integer().filter((value) => value !== 0),
  int64: fc.maxSafeInteger().filter((value) => value !== 0),
  double: fc.double({ noDefaultInfinity: true, noNaN: true }).filter((value) => value !== 0),
  Quantity: fc.constantFrom('100m', '1Gi'),
  IntOrString: fc.oneof(fc.integer(), TEXT),
  Time: SECONDS.map((seconds) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')),
  MicroTime: fc
    .tuple(SECONDS, fc.integer({ min: 0, max: 999_999 }))
    .map(([seconds, micros]) => micro(new Date(seconds * 1000), micros)),
  FieldsV1: fc.constant({ 'f:spec': { '.': {} } }),
  JSON: ANY,
  ExtraValue: fc.array(TEXT, { maxLength: 2 }),
};

function valueArbitrary(type: string, depth: number, complete: boolean): fc.Arbitrary<Json> {
  const simple = type.slice(type.lastIndexOf('.') + 1);
  const known = VALUES[simple];
  if (known) return known;
  if (!simple.startsWith('JSONSchemaPropsOr')) return messageArbitrary(type, depth, complete);
  const schema = messageArbitrary(type.replace(simple, 'JSONSchemaProps'), Math.min(depth, 0), complete);
  if (simple === 'JSONSchemaPropsOrBool') return fc.oneof(schema, fc.boolean());
  const item: fc.Arbitrary<Json> = simple === 'JSONSchemaPropsOrArray' ? schema : TEXT;
  return fc.oneof(schema, fc.array(item, { minLength: 1, maxLength: 2 }));
}

function micro(moment: Date, micros: number): string {
  return moment.toISOString().replace('.000Z', `.${String(micros).padStart(6, '0')}Z`);
}
