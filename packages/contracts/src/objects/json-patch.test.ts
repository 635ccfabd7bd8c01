import { sameJson, type Json } from '@fenestra/kernel';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyJsonPatch } from './json-patch.ts';
import { PatchError } from './working-copy.ts';

const json = fc.jsonValue({ maxDepth: 3 }).map((value): Json => JSON.parse(JSON.stringify(value)));

test.each<[string, Json, Json, Json]>([
  ['add to an object', { a: 1 }, [{ op: 'add', path: '/b', value: [1] }], { a: 1, b: [1] }],
  ['add into an array', [1, 3], [{ op: 'add', path: '/1', value: 2 }], [1, 2, 3]],
  ['add at the end', [1], [{ op: 'add', path: '/-', value: 2 }], [1, 2]],
  ['add null', {}, [{ op: 'add', path: '/a', value: null }], { a: null }],
  ['remove', { a: 1, b: 2 }, [{ op: 'remove', path: '/a' }], { b: 2 }],
  ['remove from an array', [1, 2], [{ op: 'remove', path: '/0' }], [2]],
  ['replace deep down', { a: { b: [1] } }, [{ op: 'replace', path: '/a/b/0', value: 2 }], { a: { b: [2] } }],
  ['replace the whole', { a: 1 }, [{ op: 'replace', path: '', value: 2 }], 2],
  ['move', { a: 1 }, [{ op: 'move', from: '/a', path: '/b' }], { b: 1 }],
  ['copy', { a: 1 }, [{ op: 'copy', from: '/a', path: '/b' }], { a: 1, b: 1 }],
  ['escaped keys', { 'a/b': 1, '~': 2 }, [{ op: 'remove', path: '/a~1b' }], { '~': 2 }],
  ['a test that holds', { a: { b: 1 } }, [{ op: 'test', path: '/a', value: { b: 1 } }], { a: { b: 1 } }],
])('applies %s', (_name, target, patch, result) => {
  expect(applyJsonPatch(target, patch)).toEqual(result);
});

test.each<[string, Json, Json]>([
  ['remove nothing', {}, [{ op: 'remove', path: '/a' }]],
  ['replace nothing', {}, [{ op: 'replace', path: '/a', value: 1 }]],
  ['go through a value', { a: 1 }, [{ op: 'add', path: '/a/b', value: 1 }]],
  ['go beyond an array', [1], [{ op: 'add', path: '/2', value: 1 }]],
  ['use a crooked index', [1, 2], [{ op: 'remove', path: '/01' }]],
  ['pass a failing test', { a: 1 }, [{ op: 'test', path: '/a', value: 2 }]],
  ['move into itself', { a: {} }, [{ op: 'move', from: '/a', path: '/a/b' }]],
  ['read a prototype', {}, [{ op: 'copy', from: '/constructor', path: '/a' }]],
  ['take an unknown operation', {}, [{ op: 'frob', path: '/a' }]],
  ['take an object for a patch', {}, {}],
])('does not %s', (_name, target, patch) => {
  expect(() => applyJsonPatch(target, patch)).toThrow(PatchError);
});

test('a key named __proto__ is a key', () => {
  const result = applyJsonPatch({}, [{ op: 'add', path: '/__proto__', value: { polluted: true } }]);
  expect(JSON.stringify(result)).toBe('{"__proto__":{"polluted":true}}');
  expect('polluted' in {}).toBe(false);
});

test('any value added is there, and removing it gives back what was', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), json), fc.string(), json, (object, key, value) => {
      fc.pre(!Object.hasOwn(object, key));
      const path = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const added = applyJsonPatch(object, [
        { op: 'add', path, value },
        { op: 'test', path, value },
      ]);
      return sameJson(applyJsonPatch(added, [{ op: 'remove', path }]), object);
    }),
  );
});

test('no patch makes it throw anything but a PatchError or change its target', () => {
  const operation = fc.record({
    op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'),
    path: fc.constantFrom('', '/', '/a', '/0', '/-', '/a/0', '/a/b', 'x', '/~2'),
    from: fc.constantFrom('', '/a', '/0', '/a/b'),
    value: json,
  });
  fc.assert(
    fc.property(json, fc.array(operation, { maxLength: 4 }), (target, patch) => {
      const before = JSON.stringify(target);
      try {
        applyJsonPatch(target, patch);
      } catch (error) {
        if (!(error instanceof PatchError)) throw error;
      }
      return JSON.stringify(target) === before;
    }),
  );
});

test('a JSON patch that doubles an object again and again is refused before it has grown', () => {
  const doubling = Array.from({ length: 40 }, (_, n): Json => ({ op: 'copy', from: '', path: `/c${n}` }));
  expect(() => applyJsonPatch({ a: 'x'.repeat(100) }, doubling)).toThrow(/may add at most/);
});

test('a JSON patch that nests an object into itself again and again is refused', () => {
  const nesting = Array.from({ length: 300 }, (_, n): Json => ({ op: 'add', path: '/a'.repeat(n + 1), value: {} }));
  expect(() => applyJsonPatch({}, nesting)).toThrow(PatchError);
});

test('a JSON patch takes linear time in the operations on a large object', () => {
  const names = Array.from({ length: 30_000 }, (_, n) => `n${n}`);
  const fields = Object.fromEntries(names.map((name) => [name, 'x']));
  const operations = (op: string) =>
    names.slice(0, 10_000).map((name): Json => ({ op, path: `/data/${name}`, value: 'y' }));
  expect(applyJsonPatch({ data: fields }, operations('replace'))).toMatchObject({
    data: { n0: 'y', n9999: 'y', n10000: 'x' },
  });
  expect(() => applyJsonPatch({ data: fields }, operations('test'))).toThrow(/finds another value/);
});

test('a JSON patch that moves a large array for every operation is refused', () => {
  const numbers = Array.from({ length: 1_000_000 }, () => 1);
  const patch = Array.from({ length: 10_000 }, (): Json => ({ op: 'add', path: '/0', value: 2 }));
  expect(() => applyJsonPatch(numbers, patch)).toThrow(/too many steps/);
});

test('a JSON patch that compares a large array again and again is refused', () => {
  const list = Array.from({ length: 200_000 }, (_, n) => n);
  const compare: Json = { op: 'test', path: '/list', value: list };
  expect(applyJsonPatch({ list }, [compare, compare])).toEqual({ list });
  const patch = Array.from({ length: 20 }, () => compare);
  expect(() => applyJsonPatch({ list }, patch)).toThrow(/too many steps/);
});
