import { expect, test } from 'vitest';
import { samplePod } from '../testing/sample-pods.ts';
import { podProblemText, readPod } from './read-pod.ts';

const metadata = { name: 'a', namespace: 'default', uid: 'u' };

test('readPod fills in what the API server would', () => {
  const { spec } = samplePod({
    containers: [{ name: 'main', image: 'web', ports: [{ containerPort: 80 }], livenessProbe: { exec: {} } }],
    ephemeralContainers: [{ name: 'debug', image: 'busybox:1' }],
  });
  expect(spec).toMatchObject({ restartPolicy: 'Always', terminationGracePeriodSeconds: 30, dnsPolicy: 'ClusterFirst' });
  expect(spec.containers[0]).toMatchObject({
    imagePullPolicy: 'Always',
    terminationMessagePath: '/dev/termination-log',
    ports: [{ protocol: 'TCP' }],
    livenessProbe: { periodSeconds: 10, timeoutSeconds: 1, failureThreshold: 3, successThreshold: 1 },
  });
  expect(spec.ephemeralContainers?.[0]).toMatchObject({ imagePullPolicy: 'IfNotPresent' });
});

test('readPod takes null as absent, also inside of lists', () => {
  const spec = { containers: [{ name: 'main', image: 'web', command: null, env: [null, { name: 'A', value: null }] }] };
  const read = readPod({ metadata: { ...metadata, labels: null, creationTimestamp: null }, spec, status: null });
  expect(read).toMatchObject({ pod: { spec: { containers: [{ env: [{ name: 'A' }] }] } } });
});

test('readPod names every field that is wrong', () => {
  const spec = { containers: [{ image: 'web', args: ['a', 1] }], restartPolicy: 'Sometimes' };
  const read = readPod({ metadata, spec });
  if (!('problems' in read)) throw new Error('the pod was accepted');
  const fields = read.problems.map((problem) => podProblemText(problem).split(':')[0]);
  expect(new Set(fields)).toEqual(
    new Set(['spec.containers[0].args[1]', 'spec.containers[0].name', 'spec.restartPolicy']),
  );
});

test.each([
  ['metadata.name', { metadata: { ...metadata, name: '../other' } }],
  ['metadata.uid', { metadata: { ...metadata, uid: '..' } }],
  ['metadata.namespace', { metadata: { ...metadata, namespace: 'a/b' } }],
  ['spec.containers[0].name', { spec: { containers: [{ name: 'c:\\x', image: 'web' }] } }],
  ['spec.volumes[0].name', { spec: { containers: [{ name: 'main' }], volumes: [{ name: '../../etc' }] } }],
])('a name that leads out of its folder is refused: %s', (field, changes) => {
  const read = readPod({ metadata, spec: { containers: [{ name: 'main', image: 'web' }] }, ...changes });
  const problems = 'problems' in read ? read.problems.map(podProblemText) : [];
  expect(problems).toEqual([`${field}: is not a name of letters, digits, "-" and "."`]);
});

test.each([null, 'pod', [], {}, { metadata }, { metadata, spec: { containers: [] } }])('%j is no pod', (json) => {
  expect(readPod(json)).toHaveProperty('problems');
});

test('a quantity may be a number, as YAML writes it', () => {
  const resources = { limits: { cpu: 2, memory: '1Gi' } };
  const pod = samplePod({ containers: [{ name: 'main', image: 'web', resources }] });
  expect(pod.spec.containers[0]?.resources.limits).toEqual({ cpu: '2', memory: '1Gi' });
});
