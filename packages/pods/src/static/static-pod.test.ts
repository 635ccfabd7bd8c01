import { mirrorPodProblem } from '@fenestra/contracts';
import { objectAt, stringAt, type JsonObject } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { isStaticPod } from '../pod/pod.ts';
import { readPod } from '../pod/read-pod.ts';
import { isMirrorOf, mirrorPod, staticPod, type StaticPodSource } from './static-pod.ts';

const source: StaticPodSource = { nodeName: 'Edge-1', file: '/etc/kubeedge/manifests/web.yaml', seenAt: 1000 };
const content = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', labels: { app: 'web' } },
  spec: { containers: [{ name: 'main', image: 'web:1', ports: [{ containerPort: 80 }] }] },
};

function podOf(json: JsonObject, changes: Partial<StaticPodSource> = {}): JsonObject {
  const read = staticPod(json, { ...source, ...changes });
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  return read.pod;
}

test('a file becomes a pod of this node, with the defaults of the API server', () => {
  const pod = podOf(content);
  expect(pod).toMatchObject({
    metadata: {
      name: 'web-edge-1',
      namespace: 'default',
      annotations: { 'kubernetes.io/config.source': 'file', 'kubernetes.io/config.seen': '1970-01-01T00:00:01.000Z' },
    },
    spec: {
      nodeName: 'Edge-1',
      restartPolicy: 'Always',
      enableServiceLinks: true,
      tolerations: [{ operator: 'Exists', effect: 'NoExecute' }],
      containers: [{ imagePullPolicy: 'IfNotPresent', ports: [{ protocol: 'TCP' }] }],
    },
  });
  expect(pod['spec']).not.toHaveProperty('serviceAccountName');
  const read = readPod(pod);
  expect('pod' in read && isStaticPod(read.pod)).toBe(true);
});

function uid(json: JsonObject, changes?: Partial<StaticPodSource>): string {
  return stringAt(podOf(json, changes), 'metadata', 'uid');
}

test('the identity follows the content, the file and the node, and not the time or the order of fields', () => {
  const same = uid(content);
  expect(uid({ spec: content.spec, metadata: content.metadata, kind: 'Pod', apiVersion: 'v1' }, { seenAt: 2 })).toBe(
    same,
  );
  expect(uid({ ...content, metadata: { name: 'web' } })).not.toBe(same);
  expect(uid(content, { file: '/other.yaml' })).not.toBe(same);
  expect(uid(content, { nodeName: 'edge-2' })).not.toBe(same);
});

test.each([
  [null, 'the file does not hold a pod'],
  [{ ...content, kind: 'Deployment' }, 'the kind is not "Pod"'],
  [{ ...content, metadata: {} }, 'the pod has no name'],
  [
    { ...content, spec: { ...content.spec, volumes: [{ name: 'v', secret: { secretName: 'keys' } }] } },
    'a static pod cannot refer to the Secret "keys"',
  ],
  [
    { ...content, spec: { ...content.spec, serviceAccountName: 'admin' } },
    'a static pod cannot refer to the ServiceAccount "admin"',
  ],
])('a file with %j is refused', (json, problem) => {
  expect(staticPod(json, source)).toEqual({ problems: [problem] });
});

test('a file whose pod is wrong is refused with the field', () => {
  expect(staticPod({ ...content, spec: { containers: [] } }, source)).toMatchObject({
    problems: [expect.stringContaining('spec.containers')],
  });
});

test('the mirror is one that a node may make, and is known by its hash', () => {
  const pod = podOf(content);
  const mirror = mirrorPod(pod, { name: 'Edge-1', uid: 'node-uid' });
  expect(mirrorPodProblem(mirror, 'Edge-1')).toBeUndefined();
  expect(isMirrorOf(mirror, pod)).toBe(true);
  expect(isMirrorOf(mirror, podOf({ ...content, metadata: { name: 'web' } }))).toBe(false);
  const deleted = { ...mirror, metadata: { ...objectAt(mirror, 'metadata'), deletionTimestamp: 'now' } };
  expect(isMirrorOf(deleted, pod)).toBe(false);
});
