import { ContainerState } from '@fenestra/cri/messages';
import { expect, test } from 'vitest';
import { ownPods } from './own-pods.ts';

const WEB = { 'io.kubernetes.pod.uid': 'u1', 'io.kubernetes.pod.name': 'web', 'io.kubernetes.pod.namespace': 'shop' };

function container(id: string, podSandboxId: string, labels = {}) {
  return { id, podSandboxId, state: ContainerState.CONTAINER_RUNNING, labels, annotations: {} };
}

test('a pod is a sandbox with the labels of a kubelet, and everything in it', () => {
  const containers = [container('c1', 's1', WEB), container('c2', 's1'), container('c3', 's2')];
  expect(ownPods([{ id: 's1', labels: WEB }], containers)).toEqual([
    { title: 'shop/web', sandboxId: 's1', containers: containers.slice(0, 2) },
  ]);
});

test.each(Object.keys(WEB))(
  'a sandbox without the label %s is someone else’s, even with containers that have it',
  (label) => {
    for (const labels of [
      { ...WEB, [label]: '' },
      Object.fromEntries(Object.entries(WEB).filter(([key]) => key !== label)),
    ])
      expect(ownPods([{ id: 's1', labels }], [container('c1', 's1', WEB)])).toEqual([]);
  },
);

test('a container whose sandbox is gone is still a pod’s', () => {
  const stray = container('c1', 'gone', WEB);
  expect(ownPods([], [stray, container('c2', 'gone')])).toEqual([{ title: 'shop/web', containers: [stray] }]);
});
