import type { ContainerView, PodView } from '@fenestra/pods';
import { expect, test } from 'vitest';
import { findContainer, findPod } from './find-pod.ts';
import { ageText } from './pod-text.ts';

function container(name: string, role: ContainerView['role'] = 'regular'): ContainerView {
  return { name, role, image: '', state: 'running', ready: true, restarts: 0 };
}

function pod(namespace: string, name: string, containers: readonly ContainerView[] = [container('main')]): PodView {
  const counts = { ready: 1, total: 1, restarts: 0 };
  return { namespace, name, uid: name, status: 'Running', isWell: true, ...counts, containers, conditions: [] };
}

const pods = [pod('a', 'web'), pod('b', 'web'), pod('b', 'db')];

test('a pod is found by its name, or with its namespace', () => {
  expect(findPod(pods, 'db')).toBe(pods[2]);
  expect(findPod(pods, 'b/web')).toBe(pods[1]);
});

test('a name that several namespaces have is refused with all of them', () => {
  expect(() => findPod(pods, 'web')).toThrow('Cannot choose a pod "web": there are a/web, b/web');
  expect(() => findPod(pods, 'none')).toThrow('Cannot find the pod "none" on this node');
});

test('the only regular container is meant unless another one is named', () => {
  const two = pod('a', 'web', [container('first', 'init'), container('main')]);
  expect(findContainer(two, undefined).name).toBe('main');
  expect(findContainer(two, 'first').name).toBe('first');
  expect(() => findContainer(pod('a', 'x', [container('one'), container('two')]), undefined)).toThrow(
    'it has one, two',
  );
  expect(() => findContainer(two, 'other')).toThrow('Cannot find the container "other"');
});

test.each([
  [5, '5s'],
  [65, '1m5s'],
  [3_600, '1h'],
  [90_061, '1d1h'],
])('%d seconds are shown as %s', (seconds, text) => {
  expect(ageText(0, seconds * 1_000)).toBe(text);
});
