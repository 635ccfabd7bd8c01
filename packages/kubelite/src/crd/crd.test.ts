import { expect, test } from 'vitest';
import type { JsonObject } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import { sample } from '../kinds/testing/samples.ts';
import { crdKind } from './crd-kind.ts';
import { customKinds } from './custom-kind.ts';
import { definitionProblems } from './definition-problems.ts';
import { compileSchema } from './schema-validator.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', minimum: 0, exclusiveMinimum: true },
        colour: { type: 'string', enum: ['red', 'green'], default: 'red' },
        port: { 'x-kubernetes-int-or-string': true },
        when: { type: 'string', format: 'date-time', nullable: true },
        names: { type: 'array', maxItems: 2, items: { type: 'string', pattern: '^[a-z]+$' } },
      },
    },
  },
};

function definition(version: JsonObject = {}, spec: JsonObject = {}): KubeObject {
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: SCHEMA }, ...version }];
  const names = { plural: 'widgets', kind: 'Widget' };
  const own = { group: 'example.com', scope: 'Namespaced', names, versions, conversion: { strategy: 'None' }, ...spec };
  return sample('CustomResourceDefinition', 'widgets.example.com', { spec: own });
}

function problemsOf(spec: JsonObject): readonly string[] {
  return compileSchema(SCHEMA)
    .problems({ spec })
    .map(({ field, message }) => `${field}: ${message}`);
}

test.each([
  [{ size: 1, port: 80, when: null }, []],
  [{ size: 1, port: 'http', when: '2026-01-01T00:00:00Z' }, []],
  [{}, ['spec.size: Required value']],
  [{ size: 0 }, ['spec.size: Invalid value: 0: spec.size in body should be greater than 0']],
  [{ size: 'x' }, ['spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"']],
  [{ size: 1, colour: 'blue' }, ['spec.colour: Unsupported value: "blue": supported values: "red", "green"']],
  [
    { size: 1, names: ['a', 'B'] },
    [`spec.names[1]: Invalid value: "B": spec.names[1] in body should match '^[a-z]+$'`],
  ],
  [
    { size: 1, names: ['a', 'b', 'c'] },
    ['spec.names: Invalid value: ["a","b","c"]: spec.names in body should have at most 2 items'],
  ],
  [
    { size: 1, when: 'soon' },
    ['spec.when: Invalid value: "soon": spec.when in body must be of type date-time: "soon"'],
  ],
  [
    { size: 1, port: true },
    ['spec.port: Invalid value: "boolean": spec.port in body must be of type integer,string: "boolean"'],
  ],
])('a custom resource with the spec %j has the problems %j', (spec, problems) => {
  expect(problemsOf(spec)).toEqual(problems);
});

test.each<[string, JsonObject, boolean]>([
  ['int or string', { 'x-kubernetes-int-or-string': true, nullable: true }, true],
  ['int or string that is not nullable', { 'x-kubernetes-int-or-string': true }, false],
  ['int or string by anyOf', { anyOf: [{ type: 'integer' }, { type: 'string' }], nullable: true }, true],
  ['oneOf', { type: 'object', nullable: true, oneOf: [{ required: ['a'] }, { required: ['b'] }] }, true],
  ['oneOf with both', { type: 'string', nullable: true, oneOf: [{ minLength: 1 }, { minLength: 2 }] }, true],
  ['allOf with an enum', { type: 'string', nullable: true, allOf: [{ enum: ['a'] }] }, true],
  ['not', { type: 'string', nullable: true, not: { enum: ['a'] } }, true],
  ['not of anything', { nullable: true, not: { maxLength: 5 } }, true],
  ['anyOf that is not nullable', { type: 'string', anyOf: [{ minLength: 1 }] }, false],
  ['an enum without null', { type: 'string', nullable: true, enum: ['a'] }, false],
  ['an enum with null', { type: 'string', nullable: true, enum: ['a', null] }, true],
  ['a format', { type: 'string', nullable: true, format: 'date-time', pattern: '^x$' }, true],
  ['a list', { type: 'array', nullable: true, items: { type: 'string' }, minItems: 1 }, true],
])('null for %s: %j is allowed: %j', (_name, field, allowed) => {
  const schema = { type: 'object', properties: { list: { type: 'array', items: field }, field } };
  const validator = compileSchema(schema);
  expect(validator.problems({ list: [null] }).map((problem) => problem.field)).toEqual(allowed ? [] : ['list[0]']);
  expect(validator.problems({ field: null }).map((problem) => problem.field)).toEqual(allowed ? [] : ['field']);
});

test('nullable does not switch the schemas beside it off', () => {
  const field = { type: 'string', nullable: true, anyOf: [{ enum: ['a'] }, { enum: ['b'] }] };
  const validator = compileSchema({ type: 'object', properties: { field } });
  expect(validator.problems({ field: 'b' })).toEqual([]);
  expect(validator.problems({ field: 'c' })).not.toEqual([]);
});

const LISTS = {
  type: 'object',
  properties: {
    set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { 'x-kubernetes-preserve-unknown-fields': true } },
    map: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name', 'port'],
      items: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          port: { type: 'integer', default: 80 },
          tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        },
      },
    },
    atomic: { type: 'array', 'x-kubernetes-list-type': 'atomic', items: { type: 'string' } },
    named: {
      type: 'object',
      additionalProperties: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'integer' } },
    },
  },
};

test.each<[JsonObject, readonly string[]]>([
  [{ set: ['a', 'b', 1, '1', [1], { a: 1, b: 2 }] }, []],
  [{ set: ['a', 'b', 'a', 'a'] }, ['set[2]: Duplicate value: "a"', 'set[3]: Duplicate value: "a"']],
  [
    {
      set: [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    },
    ['set[1]: Duplicate value: {"b":2,"a":1}'],
  ],
  [{ atomic: ['a', 'a'] }, []],
  [{ map: [{ name: 'a' }, { name: 'a', port: 81 }] }, []],
  [{ map: [{ name: 'a' }, { name: 'a', port: 80, tags: ['x'] }] }, ['map[1]: Duplicate value: {"name":"a","port":80}']],
  [{ map: [{ name: 'a', tags: ['x', 'x'] }] }, ['map[0].tags[1]: Duplicate value: "x"']],
  [{ named: { x: [1, 1] } }, ['named[x][1]: Duplicate value: 1']],
])('the object %j has the duplicates %j', (fields, duplicates) => {
  const [kind] = customKinds(definition({ schema: { openAPIV3Schema: LISTS } }));
  const object = sample('Widget', 'w', fields);
  const problemsIn = (previous?: KubeObject) =>
    kind?.validate?.(kind.defaults?.(object) ?? object, previous).map(({ field, message }) => `${field}: ${message}`);
  expect(problemsIn()).toEqual(duplicates);
  expect(problemsIn(sample('Widget', 'w'))).toEqual(duplicates);
  expect(problemsIn(sample('Widget', 'w', { set: ['x', 'x'] }))).toEqual([]);
});

test('duplicates are found in linear time', () => {
  const [kind] = customKinds(definition({ schema: { openAPIV3Schema: LISTS } }));
  const set = Array.from({ length: 100_000 }, (_, n) => `v${n}`);
  expect(kind?.validate?.(sample('Widget', 'w', { set: [...set, 'v99999'] }))).toHaveLength(1);
  expect(kind?.validate?.(sample('Widget', 'w', { set: [...set, ...set] }))).toHaveLength(50);
});

test('a custom kind drops unknown fields, fills in defaults, and keeps its metadata', () => {
  const [kind] = customKinds(definition());
  const object = sample('Widget', 'w', { spec: { size: 1, unknown: 2 }, status: {} }, { labels: { a: 'b' } });
  expect(kind?.defaults?.(object)).toEqual({
    ...sample('Widget', 'w', {}, { labels: { a: 'b' } }),
    spec: { size: 1, colour: 'red' },
  });
  expect(kind?.unknownFields?.(object)).toEqual(['spec.unknown', 'status']);
});

test('a definition serves its served versions, all stored in one', () => {
  const versions = [
    { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: SCHEMA } },
    { name: 'v2', served: true, storage: false, schema: { openAPIV3Schema: SCHEMA }, subresources: { status: {} } },
    { name: 'v0', served: false, storage: false, schema: { openAPIV3Schema: SCHEMA } },
  ];
  const kinds = customKinds(definition({}, { versions }));
  expect(kinds.map(({ version, storageVersion, hasStatus }) => ({ version, storageVersion, hasStatus }))).toEqual([
    { version: 'v1', storageVersion: 'v1', hasStatus: false },
    { version: 'v2', storageVersion: 'v1', hasStatus: true },
  ]);
});

test("columns are the definition's own, and a date is shown as an age", () => {
  const additionalPrinterColumns = [
    { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
    { name: 'Since', type: 'date', jsonPath: '.spec.when' },
    { name: 'All', type: 'string', jsonPath: '.spec.names', priority: 1 },
  ];
  const [kind] = customKinds(definition({ additionalPrinterColumns }));
  const object = sample('Widget', 'w', { spec: { size: 3, when: '2026-01-01T00:00:00Z', names: ['a'] } });
  const cells = kind?.columns.map((column) => column.value(object, new Date('2026-01-01T00:05:00Z')));
  expect(cells).toEqual(['w', 3, '5m', '["a"]']);
});

test.each([
  [{}, {}, []],
  [{ storage: false }, {}, ['spec.versions']],
  [{ schema: {} }, {}, ['spec.versions[0].schema.openAPIV3Schema']],
  [
    { schema: { openAPIV3Schema: { type: 'object', properties: { a: { type: 'nonsense' } } } } },
    {},
    ['spec.versions[0].schema.openAPIV3Schema'],
  ],
  [
    { additionalPrinterColumns: [{ name: 'x', type: 'string', jsonPath: 'x' }] },
    {},
    ['spec.versions[0].additionalPrinterColumns[0].jsonPath'],
  ],
  [{}, { scope: 'Everywhere' }, ['spec.scope']],
  [{}, { conversion: { strategy: 'Webhook' } }, ['spec.conversion.strategy']],
  [{}, { group: 'coordination.k8s.io' }, ['metadata.name', 'spec.group']],
])('a definition with the version %j and the spec %j is refused for %j', (version, spec, fields) => {
  expect(definitionProblems(definition(version, spec)).map(({ field }) => field)).toEqual(fields);
});

test.each<JsonObject>([
  { $ref: '#' },
  { type: 'array', uniqueItems: true },
  { type: 'string', pattern: '^(?=a)' },
  { type: 'string', pattern: 'a{2000}' },
])('a definition that was stored with the schema %j, which is refused now, can be changed and deleted', (field) => {
  const stored = definition({ schema: { openAPIV3Schema: { type: 'object', properties: { a: field } } } });
  const refused = ['spec.versions[0].schema.openAPIV3Schema'];
  expect(definitionProblems(stored).map((problem) => problem.field)).toEqual(refused);
  const labelled = structuredClone({ ...stored, metadata: { ...stored.metadata, labels: { a: 'b' } } });
  expect(definitionProblems(labelled, stored)).toEqual([]);
  expect(definitionProblems(stored, definition()).map((problem) => problem.field)).toEqual(refused);
  const deletionTimestamp = '2026-01-01T00:00:00Z';
  expect(definitionProblems({ ...stored, metadata: { ...stored.metadata, deletionTimestamp } })).toEqual([]);
  const [kind] = customKinds(stored);
  expect(kind?.validate?.(sample('Widget', 'w', { a: 1 }))).toEqual([]);
  expect(kind?.warnings?.(sample('Widget', 'w'))).toEqual([
    expect.stringMatching(/^the object was not checked: .*Widget/),
  ]);
});

test('group, scope and names of a definition stay', () => {
  const changed = definition({}, { scope: 'Cluster', names: { plural: 'widgets', kind: 'Gadget' } });
  expect(definitionProblems(changed, definition()).map(({ field }) => field)).toEqual([
    'spec.scope',
    'spec.names.kind',
  ]);
});

test('validation rules and scale, which nothing evaluates, are warned about to authors of definitions and of objects', () => {
  const rules = [{ rule: 'self.size < 10' }];
  const schema = {
    type: 'object',
    properties: {
      spec: { type: 'object', 'x-kubernetes-validations': rules, properties: { list: { type: 'array' } } },
      list: {
        type: 'array',
        items: { type: 'object', properties: { a: { type: 'integer', 'x-kubernetes-validations': rules } } },
      },
    },
  };
  const subresources = { scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } };
  const ruled = definition({ schema: { openAPIV3Schema: schema }, subresources });
  expect(crdKind.warnings?.(ruled)).toEqual([
    'spec.versions[0].schema: x-kubernetes-validations are stored but not evaluated: objects that break them are accepted',
    'spec.versions[0].subresources.scale: the embedded API does not serve scale',
  ]);
  expect(customKinds(ruled)[0]?.warnings?.(sample('Widget', 'w'))).toEqual([
    'the embedded API does not evaluate the validation rules (CEL) of Widget at: spec, list[].a',
  ]);
  expect(crdKind.warnings?.(definition())).toEqual([]);
  expect(customKinds(definition())[0]?.warnings?.(sample('Widget', 'w'))).toEqual([]);
});
