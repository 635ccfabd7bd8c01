import { OperatorError } from '@fenestra/kernel';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import * as z from 'zod/mini';
import { cloudcoreDefaults } from './cloudcore/load.ts';
import { loadCloudcoreConfig } from './cloudcore/load.ts';
import { CloudcoreConfig } from './cloudcore/schema.ts';
import { defaultCloudcoreYaml } from './cloudcore/load.ts';
import { edgecoreDefaults } from './edgecore/load.ts';
import { loadEdgecoreConfig } from './edgecore/load.ts';
import { EdgecoreConfig } from './edgecore/schema.ts';
import { defaultEdgecoreYaml } from './edgecore/load.ts';
import { isMapping, overlay, type Mapping } from './reading/schema-shape.ts';

/** Everything a JSON Schema of ours allows, whether or not a field has to be there. */
function valuesOf(schema: unknown): fc.Arbitrary<unknown> {
  if (!isMapping(schema)) return fc.constant(undefined);
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...schema['enum']);
  if (Array.isArray(schema['anyOf'])) return fc.oneof(...schema['anyOf'].map(valuesOf));
  if (schema['type'] === 'boolean') return fc.boolean();
  if (schema['type'] === 'integer') return fc.integer(boundsOf(schema));
  if (schema['type'] === 'number') return fc.double({ min: 0.01, max: 1, noNaN: true });
  if (schema['type'] === 'array') return fc.array(valuesOf(schema['items']), { maxLength: 3 });
  return schema['type'] === 'object' ? mappingsOf(schema) : textsOf(schema);
}

function mappingsOf(schema: Mapping): fc.Arbitrary<unknown> {
  const { properties, required, propertyNames, additionalProperties } = schema;
  if (!isMapping(properties))
    return fc.dictionary(textsOf(propertyNames), valuesOf(additionalProperties), { maxKeys: 3 });
  const fields = Object.fromEntries(Object.entries(properties).map(([key, field]) => [key, valuesOf(field)]));
  return fc.record(fields, { requiredKeys: Array.isArray(required) ? required : [] });
}

function textsOf(schema: unknown): fc.Arbitrary<string> {
  const { pattern, minLength = 0, maxLength = 40 } = isMapping(schema) ? schema : {};
  if (typeof pattern === 'string') {
    return fc
      .stringMatching(new RegExp(pattern), { size: 'xsmall' })
      .filter((text) => text.length <= Number(maxLength) && isPossibleAddress(text));
  }
  const plain = fc.string({ minLength: Number(minLength), maxLength: 12, unit: 'binary' });
  return fc.oneof(
    plain.map((text) => text.replaceAll(/\p{Cc}/gu, ' ')),
    fc.constantFrom(...ODD_TEXTS),
  );
}

/** Beyond what a pattern can say: "256.1.1.1:80" and "a:70000" look like addresses. */
function isPossibleAddress(text: string): boolean {
  return !/^https:|:\d+$/.test(text) || URL.canParse(text.replace(/^(?!https:)/, 'https://'));
}

/** Texts that YAML would take for something else. */
const ODD_TEXTS = [
  'null',
  '~',
  'true',
  'off',
  '007',
  '1e3',
  '0x1F',
  'C:\\etc\\',
  '- a',
  'a: b',
  '# c',
  '"',
  "'",
  '[x',
  '*a',
];

function boundsOf({ minimum, maximum }: Mapping): { min: number; max: number } {
  return { min: Number(minimum ?? -1e9), max: Math.min(Number(maximum ?? 1e9), 2 ** 31 - 1) };
}

test('any edgecore.yaml made from the schema is read back as it was written', () => {
  const configs = valuesOf(z.toJSONSchema(EdgecoreConfig, { io: 'input' })).map((made) => {
    const config = EdgecoreConfig.parse(overlay(edgecoreDefaults('linux'), made));
    const { edgeHub, edged } = config.modules;
    edgeHub.websocket.enable = true;
    edgeHub.quic.enable = false;
    Object.assign(edged.tailoredKubeletConfig, {
      cgroupDriver: 'systemd',
      imageGCHighThresholdPercent: 70,
      imageGCLowThresholdPercent: 60,
      evictionHard: edgecoreDefaults('linux').modules.edged.tailoredKubeletConfig.evictionHard,
      evictionSoft: { 'memory.available': '1Gi' },
      evictionSoftGracePeriod: { 'memory.available': '1m30s' },
      evictionMinimumReclaim: { 'nodefs.available': '5%' },
    });
    return config;
  });
  fc.assert(
    fc.property(configs, (config) => {
      expect(loadEdgecoreConfig(stringify(config), 'edgecore.yaml', 'linux').config).toEqual(config);
    }),
    { numRuns: 20 },
  );
});

test('any cloudcore.yaml made from the schema is read back as it was written', () => {
  const configs = valuesOf(z.toJSONSchema(CloudcoreConfig, { io: 'input' })).map((made) => {
    const config = CloudcoreConfig.parse(overlay(cloudcoreDefaults(), made));
    const { cloudHub } = config.modules;
    cloudHub.websocket.enable = true;
    if (cloudHub.https.port === cloudHub.websocket.port) cloudHub.https.enable = false;
    return config;
  });
  fc.assert(
    fc.property(configs, (config) => {
      expect(loadCloudcoreConfig(stringify(config), 'cloudcore.yaml').config).toEqual(config);
    }),
    { numRuns: 20 },
  );
});

test('no text makes the loader throw anything but an operator error', () => {
  const whole = defaultEdgecoreYaml('linux');
  const mangled = fc
    .tuple(fc.nat(whole.length), fc.nat(40), fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...ODD_TEXTS)))
    .map(([start, length, inserted]) => whole.slice(0, start) + inserted + whole.slice(start + length));
  fc.assert(
    fc.property(fc.oneof(mangled, fc.string({ unit: 'binary', maxLength: 200 })), (text) => {
      expect(failureOf(() => loadEdgecoreConfig(text, 'edgecore.yaml', 'windows'))).toBeOneOf([
        undefined,
        'CONFIG_INVALID',
      ]);
      expect(failureOf(() => loadCloudcoreConfig(text, 'cloudcore.yaml'))).toBeOneOf([undefined, 'CONFIG_INVALID']);
    }),
    { numRuns: 120 },
  );
});

test.each([
  ['deep lists', '['.repeat(6_000)],
  ['deep mappings', '{a: '.repeat(6_000)],
  ['a text of 2 MiB', defaultCloudcoreYaml().padEnd(2 ** 21, '#')],
  ['an alias to itself', 'modules: &a\n  edged: *a\n  edgeHub: *a'],
  [
    'aliases that multiply',
    `a: &a [x, x]\n${'bcdefghij'.replace(/./g, (c, i: number) => `${c}: &${c} [*${'abcdefghi'[i]}, *${'abcdefghi'[i]}]\n`)}`,
  ],
  ['dangerous names', 'modules: {edged: {nodeLabels: {__proto__: x, constructor: y}, __proto__: {}}}\n__proto__: 1'],
  ['a lone surrogate', 'modules: \ud800'],
  ['NUL bytes, as after a power cut', '\0'.repeat(4096)],
])('%s cannot break the loader', (_, text) => {
  expect(failureOf(() => loadEdgecoreConfig(text, 'edgecore.yaml', 'linux'))).toBe('CONFIG_INVALID');
});

function failureOf(act: () => unknown): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return error instanceof OperatorError ? error.code : String(error);
  }
}
