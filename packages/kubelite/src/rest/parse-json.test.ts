import { expect, test } from 'vitest';
import { processorMs } from '../../../../tests/processor-time.ts';
import { parseJson } from './parse-json.ts';

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
