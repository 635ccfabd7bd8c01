import { KINDS } from '@fenestra/kube-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { POD_NODE } from '../../support/cloud/pod-cloud.ts';
import { SLEEP, type TestPods, testPods } from '../../support/cloud/test-pods.ts';
import { startWindowsPodCloud, type WindowsPodCloud } from '../../support/windows-pods/windows-pod-cloud.ts';

const { signal } = new AbortController();
let cloud: WindowsPodCloud;
let pods: TestPods;
beforeAll(async () => {
  cloud = await startWindowsPodCloud(signal);
  pods = testPods(cloud);
});
afterAll(async () => cloud?.stop());

test('the node is ready, with the version of the runtime behind the named pipe', async () => {
  const node = await cloud.api.get(KINDS.node, { name: POD_NODE }, signal);
  const { name, version } = await cloud.cri.version(signal);
  expect(node['status']).toMatchObject({
    nodeInfo: { operatingSystem: 'windows', containerRuntimeVersion: `${name}://${version}` },
  });
});

test('a pod of the cloud runs in containerd, and its end is reported', async () => {
  await pods.runScript('first', SLEEP);
  await pods.untilRunning('first');
  expect(await pods.containersOf('first')).toHaveLength(1);
  expect(await pods.runOnce('ends', 'echo "$0 says hello"')).toBe('/bin/sh says hello');
});
