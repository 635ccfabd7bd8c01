import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { samplePod } from '../testing/sample-pods.ts';
import { containerHash, goJson } from './container-hash.ts';
import { containerAnnotations, containerLabels, podIdentityOf, sandboxLabels } from './labels.ts';
import { containerLogPath, highestLoggedAttempt, podLogFolder, podOfLogFolder } from './log-paths.ts';

test("containerHash gives the value of the kubelet's own test", () => {
  expect(containerHash({ name: 'test_container', image: 'foo/image:v1' })).toBe('8e45cbd0');
});

test('containerHash differs by name and by image', () => {
  const text = fc.string();
  fc.assert(
    fc.property(text, text, text, (name, image, other) => {
      fc.pre(image !== other);
      expect(containerHash({ name, image })).not.toBe(containerHash({ name, image: other }));
    }),
    { numRuns: 200, seed: 1 },
  );
});

test('goJson escapes what Go escapes', () => {
  expect(goJson({ a: '<b>&\u2028' })).toBe(String.raw`{"a":"\u003cb\u003e\u0026\u2028"}`);
});

test('a container carries what is needed to stop it when its pod is gone', () => {
  const preStop = { exec: { command: ['sh', '-c', 'echo > /x'] } };
  const pod = samplePod(
    { containers: [{ name: 'main', image: 'web:1', lifecycle: { preStop }, ports: [{ containerPort: 80 }] }] },
    { deletionGracePeriodSeconds: 5, labels: { app: 'web' } },
  );
  const [container] = pod.spec.containers;
  if (container === undefined) throw new Error('no container');
  expect(containerAnnotations(pod, container, 3)).toEqual({
    'io.kubernetes.container.hash': containerHash(container),
    'io.kubernetes.container.restartCount': '3',
    'io.kubernetes.container.terminationMessagePath': '/dev/termination-log',
    'io.kubernetes.container.terminationMessagePolicy': 'File',
    'io.kubernetes.pod.terminationGracePeriod': '30',
    'io.kubernetes.pod.deletionGracePeriod': '5',
    'io.kubernetes.container.preStopHandler': String.raw`{"exec":{"command":["sh","-c","echo \u003e /x"]}}`,
    'io.kubernetes.container.ports': '[{"containerPort":80,"protocol":"TCP"}]',
  });
  expect(containerLabels(pod, container)).not.toHaveProperty('app');
  expect(sandboxLabels(pod)).toMatchObject({ app: 'web', 'io.kubernetes.pod.uid': 'uid-1' });
  expect(podIdentityOf(sandboxLabels(pod))).toEqual({ uid: 'uid-1', name: 'web', namespace: 'shop' });
  expect(podIdentityOf({ app: 'web' })).toBeUndefined();
});

test('log paths are those of a kubelet', () => {
  const identity = { uid: 'uid-1', name: 'web', namespace: 'shop' };
  expect(podLogFolder(identity)).toBe('shop_web_uid-1');
  expect(podOfLogFolder('shop_web_uid-1')).toEqual(identity);
  expect(podOfLogFolder('pods')).toBeUndefined();
  expect(containerLogPath('main', 2)).toBe('main/2.log');
  expect(highestLoggedAttempt(['0.log', '2.log.20260101-000000.gz', '1.log', 'x'])).toBe(2);
  expect(highestLoggedAttempt([])).toBeUndefined();
});
