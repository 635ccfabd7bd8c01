import type { JsonObject } from '@fenestra/kernel';
import { isStaticPod, type Pod, readPod, takeManifests } from '@fenestra/pods';
import { expect, test } from 'vitest';
import type { KubeObject } from '../meta/kube-object.ts';
import { podSources } from './pod-sources.ts';

const SOURCE = 'kubernetes.io/config.source';
const MIRROR = 'kubernetes.io/config.mirror';

function cloudPod(name: string, annotations: JsonObject = {}, nodeName = 'n1'): KubeObject {
  const spec = { nodeName, containers: [{ name: 'main', image: 'web:1' }] };
  return { metadata: { name, namespace: 'default', uid: `uid-${name}`, annotations }, spec };
}

function sourcesOf(...objects: readonly KubeObject[]) {
  const text = JSON.stringify({
    kind: 'Pod',
    metadata: { name: 'file' },
    spec: { containers: [{ name: 'a', image: 'b' }] },
  });
  const { manifests } = takeManifests([], [{ file: '/file.yaml', text }], { nodeName: 'n1', now: 0 });
  const get = (_: unknown, __: string, name: string) => objects.find(({ metadata }) => metadata.name === name);
  const files = { pods: manifests.map(({ pod }) => pod), isComplete: true };
  return podSources({ get, list: () => objects }, files, 'n1');
}

function typed(object: KubeObject): Pod {
  const read = readPod(object);
  if ('problems' in read) throw new Error('not a pod');
  return read.pod;
}

test('a node runs its pods of the cloud and those of its files, and neither mirrors nor pods of others', () => {
  const mirror = cloudPod('file-n1', { [MIRROR]: 'hash', [SOURCE]: 'file' });
  const sources = sourcesOf(cloudPod('web'), mirror, cloudPod('other', {}, 'n2'));
  expect(sources.list().map(({ metadata }) => metadata.name)).toEqual(['web', 'file-n1']);
  expect(sources.list().map((object) => isStaticPod(typed(object)))).toEqual([false, true]);
  for (const object of sources.list()) expect(sources.find(typed(object))).toEqual(object);
});

test.each(['file', 'http', ''])('a pod of the cloud that names its source %j is not static', (source) => {
  const [pod] = sourcesOf(cloudPod('web', { [SOURCE]: source, note: 'kept' })).list();
  expect(pod?.metadata['annotations']).toEqual({ [SOURCE]: 'api', note: 'kept' });
  expect(pod && isStaticPod(typed(pod))).toBe(false);
});
