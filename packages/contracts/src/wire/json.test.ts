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

test('tryParseJson gives undefined for what is no JSON, and never throws', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(() => tryParseJson(PADDING + text)).not.toThrow();
    }),
  );
  expect(tryParseJson(`${PADDING}"open`)).toBeUndefined();
});

test('toJson writes what a client library holds as the wire would', () => {
  expect(toJson({ at: new Date(0), left: undefined })).toEqual({ at: '1970-01-01T00:00:00.000Z' });
  expect(toJson(undefined)).toBeNull();
});
