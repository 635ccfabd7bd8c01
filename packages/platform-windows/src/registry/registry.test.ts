import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeStrings, decodeText, encodeStrings, encodeText } from './registry.ts';

const text = fc.string({ minLength: 1 }).filter((string) => !string.includes('\0'));

test('decodeStrings reads back whatever encodeStrings wrote', () => {
  fc.assert(
    fc.property(fc.array(text), (strings) => {
      expect(decodeStrings(encodeStrings(strings))).toEqual(strings);
    }),
  );
});

test('encodeStrings of nothing is two zeros, which clears a list instead of leaving it as it is', () => {
  expect(encodeStrings([])).toEqual(Buffer.from([0, 0, 0, 0]));
});

test('decodeText reads back whatever encodeText wrote', () => {
  fc.assert(
    fc.property(text, (string) => {
      expect(decodeText(encodeText(string))).toBe(string);
    }),
  );
});

test('decodeText tolerates a value without its ending zero', () => {
  expect(decodeText(Buffer.from('abc', 'utf16le'))).toBe('abc');
});
