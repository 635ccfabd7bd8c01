import { expect, test } from 'vitest';
import { samplePod } from '../testing/samples.ts';
import { podStatus } from './columns.ts';
import { podDefaults, qualityOfService } from '@fenestra/contracts/objects';
import { podKind } from './pod.ts';
import { podProblems } from './validation.ts';

function fieldsOf(pod: ReturnType<typeof samplePod>, previous?: ReturnType<typeof samplePod>): readonly string[] {
  return podProblems(podDefaults(pod), previous && podDefaults(previous)).map((problem) => problem.field);
}

test.each([
  ['web', 'Always'],
  ['web:latest', 'Always'],
  ['web:1', 'IfNotPresent'],
  ['registry:5000/web', 'Always'],
  ['registry:5000/web@sha256:0123', 'IfNotPresent'],
])('the image %s is pulled %s', (image, policy) => {
  const pod = podDefaults(samplePod('a', { containers: [{ name: 'main', image }] }));
  expect(pod).toMatchObject({ spec: { containers: [{ imagePullPolicy: policy }] } });
});

test('defaults leave what the author has set', () => {
  const pod = podDefaults(samplePod('a', { restartPolicy: 'Never', terminationGracePeriodSeconds: 0 }));
  expect(pod).toMatchObject({
    spec: { restartPolicy: 'Never', terminationGracePeriodSeconds: 0, serviceAccountName: 'default' },
  });
});

test('a pod is refused for missing and repeated entries and for references to nothing', () => {
  const containers = [
    { name: 'a', image: 'x', volumeMounts: [{ name: 'absent', mountPath: '/x' }] },
    { name: 'a', image: '' },
  ];
  expect(fieldsOf(samplePod('a', { containers }))).toEqual([
    'spec.containers[0].volumeMounts[0].name',
    'spec.containers[1].image',
    'spec.containers[1].name',
  ]);
  expect(fieldsOf(samplePod('a', { containers: [] }))).toEqual(['spec.containers']);
  const volumes = [{ emptyDir: {} }, { name: '../../etc', emptyDir: {} }];
  expect(fieldsOf(samplePod('a', { volumes }))).toEqual(['spec.volumes[0].name', 'spec.volumes[1].name']);
});

test('a running pod may change its image and gain tolerations, and nothing else', () => {
  const before = samplePod('a', { nodeName: 'n', tolerations: [{ key: 'x' }] });
  const image = { containers: [{ name: 'main', image: 'web:2', imagePullPolicy: 'IfNotPresent' }] };
  expect(
    fieldsOf(samplePod('a', { nodeName: 'n', ...image, tolerations: [{ key: 'y' }, { key: 'x' }] }), before),
  ).toEqual([]);
  expect(fieldsOf(samplePod('a', { nodeName: 'n', tolerations: [] }), before)).toEqual(['spec']);
  expect(fieldsOf(samplePod('a', { nodeName: 'other', tolerations: [{ key: 'x' }] }), before)).toEqual(['spec']);
  expect(fieldsOf(samplePod('a', { nodeName: 'n' }), samplePod('a'))).toEqual([]);
});

test('only a pod on a node that has not ended is given time to stop', () => {
  const placed = podDefaults(samplePod('a', { nodeName: 'n' }));
  expect(podKind.deletionGraceSeconds?.(placed, undefined)).toBe(30);
  expect(podKind.deletionGraceSeconds?.(placed, 0)).toBe(0);
  expect(podKind.deletionGraceSeconds?.({ ...placed, status: { phase: 'Failed' } }, undefined)).toBe(0);
  expect(podKind.deletionGraceSeconds?.(podDefaults(samplePod('a')), 60)).toBe(0);
});

test.each([
  [{}, 'BestEffort'],
  [{ requests: { cpu: '1' } }, 'Burstable'],
  [{ limits: { cpu: '1', memory: '1Gi' } }, 'Guaranteed'],
  [{ requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '2', memory: '1Gi' } }, 'Burstable'],
])('a pod with the resources %j is %s', (resources, quality) => {
  expect(qualityOfService(samplePod('a', { containers: [{ name: 'main', image: 'x', resources }] }))).toBe(quality);
});

test.each([
  [{ phase: 'Running' }, 'Running'],
  [
    { phase: 'Pending', containerStatuses: [{ state: { waiting: { reason: 'ImagePullBackOff' } } }] },
    'ImagePullBackOff',
  ],
  [{ phase: 'Failed', containerStatuses: [{ state: { terminated: { exitCode: 3 } } }] }, 'ExitCode:3'],
  [{ phase: 'Pending', initContainerStatuses: [{ state: { running: {} } }] }, 'Init:0/0'],
  [{ phase: 'Failed', reason: 'Evicted' }, 'Evicted'],
])('a pod with the status %j shows as %s', (status, shown) => {
  expect(podStatus({ ...samplePod('a'), status })).toBe(shown);
});
