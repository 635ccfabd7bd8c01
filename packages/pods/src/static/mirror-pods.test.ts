import { mirrorPodProblem } from '@fenestra/contracts';
import { objectAt, type JsonObject } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import type { Pod } from '../pod/pod.ts';
import { podProblemText, readPod } from '../pod/read-pod.ts';
import { type MirrorFacts, mirrorUid, planMirrors } from './mirror-pods.ts';
import { staticPod } from './static-pod.ts';

const node = { name: 'Edge-1', uid: 'node-uid' };

function podOf(labels: JsonObject = {}): JsonObject {
  const content = {
    kind: 'Pod',
    metadata: { name: 'web', labels },
    spec: { containers: [{ name: 'main', image: 'web:1' }] },
  };
  const read = staticPod(content, { nodeName: node.name, file: '/etc/kubeedge/manifests/web.yaml', seenAt: 1 });
  if ('problems' in read) throw new Error(read.problems.map(podProblemText).join('\n'));
  return read.pod;
}

function typed(pod: JsonObject): Pod {
  const read = readPod(pod);
  if ('problems' in read) throw new Error('not a pod');
  return read.pod;
}

const plan = (facts: Partial<MirrorFacts>) => planMirrors({ node, wanted: [], running: [], mirrors: [], ...facts });

/** The mirror as the cloud has it. */
function mirrorOf(pod: JsonObject, metadata: JsonObject = {}): JsonObject {
  const [action] = plan({ wanted: [pod] });
  if (action?.kind !== 'create') throw new Error('no mirror is created');
  return { ...action.mirror, metadata: { ...objectAt(action.mirror, 'metadata'), uid: 'mirror-uid', ...metadata } };
}

test('a static pod gets a mirror that a node may create', () => {
  const mirror = mirrorOf(podOf());
  expect(mirrorPodProblem(mirror, 'Edge-1')).toBeUndefined();
  expect(plan({ wanted: [podOf()], mirrors: [mirror] })).toEqual([]);
});

test.each([
  ['of an earlier version of the file', { wanted: [podOf({ app: 'web' })] }, mirrorOf(podOf())],
  [
    'that a user deletes',
    { wanted: [podOf()] },
    mirrorOf(podOf(), { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 30 }),
  ],
  ['whose file is gone', {}, mirrorOf(podOf())],
])('a mirror %s is deleted, and created again only when it is gone', (_, facts, mirror) => {
  expect(plan({ ...facts, mirrors: [mirror] })).toEqual([{ kind: 'delete', mirror }]);
});

test('the mirror of a pod whose file is gone stays until the pod has ended', () => {
  expect(plan({ running: [typed(podOf())], mirrors: [mirrorOf(podOf())] })).toEqual([]);
});

test('a status belongs to the mirror of the same version alone', () => {
  const pod = typed(podOf());
  expect(mirrorUid(mirrorOf(podOf()), pod)).toBe('mirror-uid');
  expect(mirrorUid(mirrorOf(podOf({ app: 'web' })), pod)).toBeUndefined();
  expect(mirrorUid({ metadata: { name: 'web-edge-1', uid: 'u' } }, pod)).toBeUndefined();
  expect(mirrorUid(undefined, pod)).toBeUndefined();
});
