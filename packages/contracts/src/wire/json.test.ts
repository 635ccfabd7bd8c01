import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { toJson, tryParseJson } from './json.ts';
import { MAX_MESSAGE_DEPTH } from './limits.ts';

// Long enough that the depth is really looked at.
const PADDING = ' '.repeat(2 * MAX_MESSAGE_DEPTH);

test('tryParseJson reads all that JSON.parse reads, whatever brackets and quotes its strings hold', () => {
  const tricky = fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', ']', '}', 'a') });
  fc.assert(
    fc.property(fc.array(tricky), (texts) => {
      expect(tryParseJson(PADDING + JSON.stringify(texts))).toEqual(texts);
    }),
    { numRuns: 500 },
  );
});

test('tryParseJson finds the depth behind any string', () => {
  const tricky = fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', ']', '}', 'a') });
  const deep = '['.repeat(MAX_MESSAGE_DEPTH) + ']'.repeat(MAX_MESSAGE_DEPTH);
  fc.assert(
    fc.property(tricky, (text) => {
      expect(tryParseJson(`[${JSON.stringify(text)},${deep}]`)).toBeUndefined();
      expect(tryParseJson(`[${JSON.stringify(text)},${deep.slice(1, -1)}]`)).toBeDefined();
    }),
  );
});

test('tryParseJson gives undefined for what is not JSON, and never throws', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(() => tryParseJson(PADDING + text)).not.toThrow();
    }),
  );
  expect(tryParseJson(`${PADDING}"open`)).toBeUndefined();
});

test('tryParseJson refuses more values than allowed, and counts none inside strings', () => {
  const tricky = fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', ',', '}', 'a') });
  fc.assert(
    fc.property(fc.array(tricky, { minLength: 1, maxLength: 50 }), fc.boolean(), (texts, asObject) => {
      const value = asObject ? Object.fromEntries(texts.entries()) : texts;
      const json = JSON.stringify(value).padEnd(1_000);
      expect(tryParseJson(json, texts.length + 2)).toEqual(value);
      expect(tryParseJson(json, texts.length)).toBeUndefined();
    }),
  );
  expect(tryParseJson(`[${'{},'.repeat(1_000)}{}]`, 1_000)).toBeUndefined();
});

test('toJson writes what a client library holds as the wire would', () => {
  expect(toJson({ at: new Date(0), left: undefined })).toEqual({ at: '1970-01-01T00:00:00.000Z' });
  expect(toJson(undefined)).toBeNull();
});
