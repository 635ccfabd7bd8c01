import { expect, test } from 'vitest';
import { requireLabels } from './labels.ts';

test.each([
  'zone',
  'example.com/line',
  'node.kubernetes.io/rack',
  'topology.kubernetes.io/zone',
  'a.kubelet.kubernetes.io/b',
  'beta.kubernetes.io/os',
  'notkubernetes.io/a',
])('a node may give itself the label %s', (key) => {
  expect(() => requireLabels({ [key]: 'x' })).not.toThrow();
});

test.each([
  'node-role.kubernetes.io/worker',
  'kubernetes.io/custom',
  'foo.k8s.io/bar',
  'x.node-restriction.kubernetes.io/y',
])('a node may not give itself the label %s, and gets an error before anything happens', (key) => {
  expect(() => requireLabels({ [key]: '' })).toThrow(
    expect.objectContaining({ code: 'USAGE', hint: expect.stringContaining('kubectl label') }),
  );
});

test.each([
  ['a b', 'x'],
  ['a', 'x y'],
  ['a/b/c', 'x'],
  ['', 'x'],
])('%j=%j is not a label', (key, value) => {
  expect(() => requireLabels({ [key]: value })).toThrow(expect.objectContaining({ code: 'USAGE' }));
});
