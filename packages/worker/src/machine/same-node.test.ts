import { beforeAll, expect, test } from 'vitest';
import { makeTestCa } from '../discovery/testing/test-ca.ts';
import { judgeNode } from './same-node.ts';

const NO_CAS = { ownCa: undefined, theirCa: undefined };
const [ours, theirs] = [{ uid: 'ours' }, { uid: 'theirs' }];
let [ownCa, otherCa] = ['', ''];

beforeAll(async () => {
  [ownCa, otherCa] = [(await makeTestCa()).certificate, (await makeTestCa()).certificate];
});

test('a node of the same name in another cluster is not mistaken for this machine', () => {
  expect(judgeNode({ own: ours, theirs, ...NO_CAS })).toBe('other');
  expect(judgeNode({ own: undefined, theirs, ...NO_CAS })).toBe('other');
  expect(judgeNode({ own: ours, theirs: undefined, ...NO_CAS })).toBe('other');
});

test('the same node, and no node in either cluster, are fine', () => {
  expect(judgeNode({ own: ours, theirs: ours, ...NO_CAS })).toBe('same');
  expect(judgeNode({ own: undefined, theirs: undefined, ...NO_CAS })).toBe('same');
});

test('where its own cluster does not answer, a machine knows it by its CA, and not by a name', () => {
  const silent = { own: 'unknown', theirs, ownCa } as const;
  expect(judgeNode({ ...silent, theirCa: otherCa })).toBe('other');
  expect(judgeNode({ ...silent, theirCa: `${otherCa}${ownCa}` })).toBe('same');
});

test('without a CA to compare nobody knows, unless there is no node to lose', () => {
  const silent = { own: 'unknown', ownCa, theirCa: undefined } as const;
  expect(judgeNode({ ...silent, theirs })).toBe('unknown');
  expect(judgeNode({ ...silent, theirs, ownCa: undefined, theirCa: otherCa })).toBe('unknown');
  expect(judgeNode({ ...silent, theirs: undefined })).toBe('same');
});
