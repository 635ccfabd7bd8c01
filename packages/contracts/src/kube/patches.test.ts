import { OperatorError } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { applyPatches, type PatchFile, readPatches } from './patches.ts';

const TARGET = 'kubeletconfiguration';
const CONFIG = { kind: 'K', maxPods: 10, list: ['a', 'b'], deep: { one: 1, two: { three: 3 } } };

const patchedBy = (...files: PatchFile[]): unknown => applyPatches(CONFIG, TARGET, readPatches(files).patches);
const file = (suffix: string, text: string): PatchFile => ({ name: `${TARGET}${suffix}`, text });
const patched = (suffix: string, text: string): unknown => patchedBy(file(suffix, text));

test('patches count in the order of their names, and each document in its turn', () => {
  const files = [
    file('2.yaml', 'maxPods: 4'),
    file('1.json', '{"maxPods": 1, "first": true}'),
    { name: `sub/${TARGET}0+merge.yaml`, text: 'maxPods: 9' },
    file('10+merge.yaml', 'maxPods: 2\n---\nmaxPods: 3\nlast: true\n---\n'),
  ];
  expect(readPatches(files).patches.map(({ source }) => source)).toEqual([
    'kubeletconfiguration1.json',
    'kubeletconfiguration10+merge.yaml',
    'kubeletconfiguration10+merge.yaml',
    'kubeletconfiguration2.yaml',
    'sub/kubeletconfiguration0+merge.yaml',
  ]);
  expect(patchedBy(...files)).toMatchObject({ maxPods: 9, first: true, last: true });
});

test('what is not a patch is skipped with a message, and a patch for another target changes nothing', () => {
  const reading = readPatches([
    { name: 'notes.txt', text: '' },
    { name: 'kubelet.yaml', text: '' },
    { name: 'kubeletconfiguration.toml', text: '' },
    { name: 'etcd+json.yaml', text: '[]' },
  ]);
  expect(reading.warnings).toHaveLength(3);
  expect(applyPatches(CONFIG, TARGET, reading.patches)).toEqual(CONFIG);
});

test.each([
  ['+merge.yaml', 'maxPods: null\ndeep: {two: {four: 4}}\nlist: [c]'],
  ['.yaml', 'maxPods: null\ndeep: {two: {four: 4}}\nlist: [c]'],
  ['+strategic.json', '{"maxPods": null, "deep": {"two": {"four": 4}}, "list": ["c"]}'],
])('%s merges mappings, replaces lists and removes what is null', (suffix, text) => {
  expect(patched(suffix, text)).toEqual({
    kind: 'K',
    list: ['c'],
    deep: { one: 1, two: { three: 3, four: 4 } },
  });
});

test('a strategic patch follows its directives', () => {
  expect(patched('.yaml', 'deep: {$patch: replace, new: 1}')).toMatchObject({ deep: { new: 1 } });
  expect(patched('.yaml', 'deep: {$patch: delete}')).not.toHaveProperty('deep');
  expect(patched('.yaml', 'deep: {$retainKeys: [two, new], new: 1}')).toMatchObject({
    deep: { two: { three: 3 }, new: 1 },
  });
});

test('a JSON patch does all that RFC 6902 knows', () => {
  const operations = [
    { op: 'test', path: '/deep/two', value: { three: 3 } },
    { op: 'add', path: '/list/1', value: 'x' },
    { op: 'add', path: '/list/-', value: 'y' },
    { op: 'remove', path: '/list/0' },
    { op: 'replace', path: '/maxPods', value: 11 },
    { op: 'copy', from: '/deep/one', path: '/a~1b~0c' },
    { op: 'move', from: '/deep/two', path: '/moved' },
  ];
  expect(patched('+json.json', JSON.stringify(operations))).toEqual({
    kind: 'K',
    maxPods: 11,
    list: ['x', 'b', 'y'],
    deep: { one: 1 },
    'a/b~c': 1,
    moved: { three: 3 },
  });
});

test.each([
  ['+sideways.yaml', '', '"+sideways" must be'],
  ['+.yaml', '', '"+" must be'],
  ['.yaml', 'a: [', 'it is not YAML or JSON'],
  ['.yaml', 'a: *nothing', 'it is not YAML or JSON'],
  ['.yaml', '['.repeat(20_000), 'it is not YAML or JSON'],
  ['.yaml', '- a', 'it must be a mapping'],
  ['.yaml', 'deep: {$patch: explode}', '"$patch" must be'],
  ['.yaml', '$setElementOrder/list: [a]', 'it has the directive "$setElementOrder/list"'],
  ['+json.yaml', 'a: 1', 'it must be a list of operations'],
  ['+json.yaml', '[{op: add, path: x, value: 1}]', 'it must be a list of operations'],
  ['+json.yaml', '[{op: remove, path: /nothing}]', '"remove" at "/nothing" finds nothing there'],
  ['+json.yaml', '[{op: add, path: /none/deep, value: 1}]', '"add" at "/none/deep" finds nothing to add to'],
  ['+json.yaml', '[{op: add, path: /list/7, value: 1}]', '"add" at "/list/7" is beyond the end of the list'],
  ['+json.yaml', '[{op: replace, path: /list/01, value: 1}]', '"replace" at "/list/01" finds nothing there'],
  ['+json.yaml', '[{op: test, path: /maxPods, value: 9}]', '"test" at "/maxPods" finds another value'],
])('the patch %s is refused, naming the file: case %#', (suffix, text, reason) => {
  const failure = failureOf(() => patched(suffix, text));
  expect(failure.code).toBe('CONFIG_INVALID');
  expect(failure.message).toContain(`Cannot use the patch "${TARGET}${suffix}": ${reason}`);
});

function failureOf(action: () => unknown): OperatorError {
  try {
    action();
  } catch (error) {
    if (error instanceof OperatorError) return error;
    throw error;
  }
  throw new Error('Nothing was refused');
}
