import { expect, test } from 'vitest';
import { samplePod } from '../testing/sample-pods.ts';
import { podSubject } from './core-event.ts';
import { KUBELET_EVENTS } from './kubelet-event.ts';

const container = (name: string) => ({ name, image: 'web:1' });

test.each([
  [312.4, 950, '312ms (950ms including waiting)'],
  [1500, 61_250, '1.5s (1m1.25s including waiting)'],
])('a pull of %d ms that waited until %d ms took %s', (pullMs, wholeMs, text) => {
  const { message } = KUBELET_EVENTS.pulled('web:1', { pullMs, wholeMs }, 7n);
  expect(message).toBe(`Successfully pulled image "web:1" in ${text}. Image size: 7 bytes.`);
});

test('an event about a container names its place in the pod', () => {
  const pod = samplePod({
    containers: [container('main')],
    initContainers: [container('init')],
    ephemeralContainers: [container('debug')],
  });
  expect(['main', 'init', 'debug', 'gone', undefined].map((name) => podSubject(pod, name).fieldPath)).toEqual([
    'spec.containers{main}',
    'spec.initContainers{init}',
    'spec.ephemeralContainers{debug}',
    undefined,
    undefined,
  ]);
});

test('a failed hook does not show what it printed', () => {
  expect(KUBELET_EVENTS.postStartFailed().message).toBe('PostStartHook failed');
  expect(KUBELET_EVENTS.preStopFailed().message).toBe('PreStopHook failed');
});
