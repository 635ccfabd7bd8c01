import { isJsonObject, sameJson, type Json } from '@fenestra/kernel';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyMergePatch } from './json-patch.ts';

const json = fc.jsonValue({ maxDepth: 3 }).map((value): Json => JSON.parse(JSON.stringify(value)));

// The table of the RFC's appendix A.
test.each<[Json, Json, Json]>([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('merges %j with %j into %j', (target, patch, result) => {
  expect(applyMergePatch(target, patch)).toEqual(result);
});

test('applying a patch twice is applying it once', () => {
  fc.assert(
    fc.property(json, json, (target, patch) => {
      const once = applyMergePatch(target, patch);
      return sameJson(applyMergePatch(once, patch), once);
    }),
  );
});

test('an empty patch keeps an object as it is', () => {
  fc.assert(fc.property(json.filter(isJsonObject), (target) => sameJson(applyMergePatch(target, {}), target)));
});
