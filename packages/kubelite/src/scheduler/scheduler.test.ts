import { expect, test } from 'vitest';
import type { JsonObject } from '../objects/json.ts';
import { sampleNode, samplePod } from '../kinds/testing/samples.ts';
import { chooseNode } from './scheduler.ts';
import { whyNot } from './node-fit.ts';

function required(...matchExpressions: readonly JsonObject[]): JsonObject {
  const terms = { nodeSelectorTerms: [{ matchExpressions }] };
  return { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } } };
}

test.each([
  [{}, undefined],
  [{ nodeSelector: { zone: 'a' } }, undefined],
  [{ nodeSelector: { zone: 'b' } }, "node(s) didn't match Pod's node affinity/selector"],
  [required({ key: 'zone', operator: 'In', values: ['a', 'b'] }), undefined],
  [required({ key: 'zone', operator: 'NotIn', values: ['a'] }), "node(s) didn't match Pod's node affinity/selector"],
  [required({ key: 'size', operator: 'Gt', values: ['4'] }), undefined],
  [required({ key: 'size', operator: 'Lt', values: ['5'] }), "node(s) didn't match Pod's node affinity/selector"],
  [required({ key: 'zone', operator: 'Exists' }, { key: 'gpu', operator: 'DoesNotExist' }), undefined],
  [required(), "node(s) didn't match Pod's node affinity/selector"],
])('a pod with %j on a node in zone a of size 5', (spec, reason) => {
  expect(whyNot(samplePod('p', spec), sampleNode('n', { zone: 'a', size: '5' }))).toBe(reason);
});

test.each([
  [{}, 'node(s) had untolerated taint {dedicated: ml}'],
  [{ tolerations: [{ key: 'dedicated', value: 'ml', effect: 'NoSchedule' }] }, undefined],
  [{ tolerations: [{ key: 'dedicated', operator: 'Exists' }] }, undefined],
  [{ tolerations: [{ operator: 'Exists' }] }, undefined],
  [{ tolerations: [{ key: 'dedicated', value: 'web' }] }, 'node(s) had untolerated taint {dedicated: ml}'],
  [
    { tolerations: [{ key: 'dedicated', operator: 'Exists', effect: 'NoExecute' }] },
    'node(s) had untolerated taint {dedicated: ml}',
  ],
])('a pod with %j meets a taint', (spec, reason) => {
  const taints = [
    { key: 'dedicated', value: 'ml', effect: 'NoSchedule' },
    { key: 'x', effect: 'PreferNoSchedule' },
  ];
  expect(whyNot(samplePod('p', spec), sampleNode('n', {}, { taints }))).toBe(reason);
});

test('a node that is closed or not ready takes no pods', () => {
  expect(whyNot(samplePod('p'), sampleNode('n', {}, { unschedulable: true }))).toBe('node(s) were unschedulable');
  expect(whyNot(samplePod('p'), { ...sampleNode('n'), status: {} })).toBe('node(s) were not ready');
});

test('the node with the fewest pods is chosen, and the name decides between equals', () => {
  const nodes = [sampleNode('c'), sampleNode('b'), sampleNode('a')];
  expect(
    chooseNode(
      samplePod('p'),
      nodes,
      new Map([
        ['a', 2],
        ['b', 1],
        ['c', 1],
      ]),
    ),
  ).toEqual({ node: 'b' });
});

test('a pod without a node is given the reason, counted', () => {
  const nodes = [sampleNode('a', {}, { unschedulable: true }), sampleNode('b'), sampleNode('c')];
  expect(chooseNode(samplePod('p', { nodeSelector: { x: 'y' } }), nodes, new Map())).toEqual({
    message:
      "0/3 nodes are available: 1 node(s) were unschedulable, 2 node(s) didn't match Pod's node affinity/selector.",
  });
  expect(chooseNode(samplePod('p'), [], new Map())).toEqual({ message: 'no nodes available to schedule pods' });
});
