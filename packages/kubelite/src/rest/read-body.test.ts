import { expect, test } from 'vitest';
import { processorMs } from '../../../../tests/processor-time.ts';
import { parseJson, parseText } from './read-body.ts';
import { parseResourcePath } from './resource-path.ts';

const lines = (count: number, line: (n: number) => string) => Array.from({ length: count }, (_, n) => line(n));
const items = (count: number) => `{ "a": [${lines(count, () => '{}').join(',')}] }`;

test('YAML and JSON mean the same', () => {
  const value = { a: [1, 'x', null, true], b: { c: '1' } };
  expect(parseText('a: [1, x, null, true]\nb:\n  c: "1"\n', 'yaml')).toEqual(value);
  expect(parseText(JSON.stringify(value), 'yaml')).toEqual(value);
  expect(parseText('{a: [1, x, null, true], b: {c: "1"}}', 'yaml')).toEqual(value);
});

test('a key that is there twice in YAML is refused', () => {
  expect(() => parseText('a: 1\nb: 2\na: 3\n', 'yaml')).toThrow(/duplicated/);
});

test('YAML with many keys, and YAML with many errors, takes linear time', () => {
  const keys = lines(39_999, (n) => `k${n}: 1`).join('\n');
  expect(Object.keys(Object(parseText(keys, 'yaml')))).toHaveLength(39_999);
  expect(() => parseText('{}'.repeat(250_000), 'yaml')).toThrow(/cannot read the body/);
  expect(() => parseText('&a '.repeat(150_000), 'yaml')).toThrow(/cannot read the body/);
});

test.each(['json', 'yaml'] as const)('a body of more than 40,000 values is refused (%s)', (format) => {
  expect(parseText(items(39_998), format)).toHaveProperty('a.length', 39_998);
  expect(() => parseText(items(39_999), format)).toThrow('limit is 40000 values');
});

test('YAML that is larger than 512 KiB, or expands itself by aliases, is refused', () => {
  expect(() => parseText(`a: ${'x'.repeat(512 * 1024)}`, 'yaml')).toThrow(/too large/);
  const tenfold = `a: &a [${'x,'.repeat(10_000)}]\nb: [*a,*a,*a,*a,*a,*a,*a,*a]`;
  expect(() => parseText(tenfold, 'yaml')).toThrow('limit is 40000 values');
  const doubled = lines(20, (n) => `k${n + 1}: &a${n + 1} [*a${n}, *a${n}]`);
  expect(() => parseText(['k0: &a0 x', ...doubled].join('\n'), 'yaml')).toThrow(/cannot read the body/);
});

test.each([
  ['json', `${'['.repeat(500_000)}${']'.repeat(500_000)}`],
  ['json', `${'{"a":'.repeat(300)}1${'}'.repeat(300)}`],
  ['yaml', '['.repeat(100_000)],
  ['yaml', `${'- '.repeat(1000)}a`],
] as const)('a body with too many levels is refused (%s)', (format, text) => {
  expect(() => parseText(text, format)).toThrow(/cannot read the body|more than 256 levels/);
});

test('a path of slashes takes linear time', () => {
  const slashes = '/'.repeat(1_000_000);
  expect(parseResourcePath(`/api${slashes}x`)).toBeUndefined();
  expect(parseResourcePath(`${slashes}api/v1/pods${slashes}`)).toMatchObject({ version: 'v1', plural: 'pods' });
});

test.each(['{"a": 12345678901234567890}', 'a: 12345678901234567890', 'a: .inf'])(
  'a number that cannot be stored exactly is refused in YAML: %s',
  (text) => expect(() => parseText(text, 'yaml')).toThrow(/out of range/),
);

test.each(['9007199254740993', '-9007199254740992', '1e400', '-1E+999'])('%s is refused', (number) => {
  expect(() => parseJson(`{"a":[${number}]}`)).toThrow(`the number ${number}`);
});

test.each(['9007199254740991', '0.12345678901234567', '1e300', '"9007199254740993"'])('%s is kept', (value) => {
  expect(JSON.stringify(parseJson(`{"a":${value}}`))).toBe(`{"a":${JSON.stringify(JSON.parse(value))}}`);
});

test('keys that objects inherit are kept', () => {
  const text = '{"__proto__":"a","constructor":"b","n":1234567890123456}';
  expect(JSON.stringify(parseJson(text))).toBe(text);
});

test('digits in strings, and long numbers, do not slow down text of many values', () => {
  const many = '"\\"",1,'.repeat(400_000);
  const begun = processorMs();
  expect(parseJson(`["e123",1e30,0.12345678901234567,${many}"9007199254740993"]`)).toHaveLength(800_004);
  expect(processorMs() - begun).toBeLessThan(500);
});
