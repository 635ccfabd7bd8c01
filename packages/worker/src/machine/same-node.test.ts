import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isSameNode, requireSameNode } from './same-node.ts';

test('a node of the same name in another cluster is not mistaken for this machine', () => {
  expect(isSameNode({ uid: 'ours' }, { uid: 'theirs' })).toBe(false);
  expect(isSameNode(undefined, { uid: 'theirs' })).toBe(false);
  expect(isSameNode({ uid: 'ours' }, undefined)).toBe(false);
});

test('the same node, and no node in either cluster, are fine', () => {
  expect(isSameNode({ uid: 'ours' }, { uid: 'ours' })).toBe(true);
  expect(isSameNode(undefined, undefined)).toBe(true);
});

test('a machine without an identity asks nobody and believes the operator', async () => {
  const access = { kubeconfig: 'admin.conf', ownKubeconfig: join(tmpdir(), 'no-such-folder', 'kubelet.conf') };
  await expect(requireSameNode({}, access, 'w1', new AbortController().signal)).resolves.toBeUndefined();
});
