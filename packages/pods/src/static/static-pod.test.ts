import { stringAt, type JsonObject } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { isStaticPod } from '../pod/pod.ts';
import { podProblemText, readPod } from '../pod/read-pod.ts';
import { staticPod, type StaticPodSource } from './static-pod.ts';

const source: StaticPodSource = { nodeName: 'Edge-1', file: '/etc/kubeedge/manifests/web.yaml', seenAt: 1000 };
const content = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', labels: { app: 'web' } },
  spec: { containers: [{ name: 'main', image: 'web:1', ports: [{ containerPort: 80 }] }] },
};

function podOf(json: JsonObject, changes: Partial<StaticPodSource> = {}): JsonObject {
  const read = staticPod(json, { ...source, ...changes });
  if ('problems' in read) throw new Error(read.problems.map(podProblemText).join('\n'));
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

test('what only the API server sets is not taken from a file', () => {
  const metadata = {
    ...content.metadata,
    uid: 'other',
    deletionTimestamp: '2026-01-01T00:00:00Z',
    ownerReferences: [{ kind: 'Node', name: 'other' }],
    annotations: { note: 'kept', 'kubernetes.io/config.mirror': 'other' },
  };
  const pod = podOf({ ...content, metadata });
  expect(Object.keys(pod['metadata'] ?? {}).toSorted()).toEqual(['annotations', 'labels', 'name', 'namespace', 'uid']);
  expect(pod).toMatchObject({ metadata: { annotations: { note: 'kept' } } });
  expect(JSON.stringify(pod)).not.toContain('other');
});

test.each([
  [null, 'the file does not hold a pod'],
  [{ ...content, kind: 'Deployment' }, 'kind: the kind is not "Pod"'],
  [{ ...content, metadata: {} }, 'metadata: the pod has no name'],
  [{ ...content, metadata: { name: '../web' } }, 'metadata.name: "../web" cannot be the name of a pod'],
  [
    { ...content, metadata: { name: 'web', namespace: 'a/b' } },
    'metadata.namespace: this cannot be the name of a namespace',
  ],
  [
    { ...content, spec: { containers: [{ name: 'Main', image: 'web:1' }] } },
    'spec: "Main" cannot be the name of a container, or two have it',
  ],
  [
    { ...content, spec: { ...content.spec, volumes: [{ name: 'v', secret: { secretName: 'keys' } }] } },
    'spec: a static pod cannot refer to the Secret "keys"',
  ],
  [
    { ...content, spec: { ...content.spec, serviceAccountName: 'admin' } },
    'spec: a static pod cannot refer to the ServiceAccount "admin"',
  ],
])('a file with %j is refused', (json, problem) => {
  const read = staticPod(json, source);
  expect('problems' in read && read.problems.map(podProblemText)).toEqual([problem]);
});

test('a file whose pod is wrong is refused with the field', () => {
  expect(staticPod({ ...content, spec: { containers: [] } }, source)).toMatchObject({
    problems: [expect.objectContaining({ path: ['spec', 'containers'] })],
  });
});
