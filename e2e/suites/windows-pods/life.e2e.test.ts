import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ContainerState } from '@fenestra/cri/messages';
import { KINDS } from '@fenestra/kube-api';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { PATIENCE, untilConnected } from '../../support/cloud/patience.ts';
import { POD_NODE, untilNodeReady } from '../../support/cloud/pod-cloud.ts';
import { restartCounts, SLEEP, type TestPods, testPods } from '../../support/cloud/test-pods.ts';
import { isShortRun } from '../../support/reporting/short-run.ts';
import { startWindowsPodCloud, type WindowsPodCloud } from '../../support/windows-pods/windows-pod-cloud.ts';

const { signal } = new AbortController();
let cloud: WindowsPodCloud;
let pods: TestPods;
beforeAll(async () => {
  cloud = await startWindowsPodCloud(signal);
  pods = testPods(cloud);
});
afterAll(async () => cloud?.stop());

/** What containerd has of pods: the ids of their sandboxes and containers, when these were created, and their states. */
async function pictureOf(...names: readonly string[]): Promise<readonly unknown[]> {
  const all = await Promise.all(
    names.map(async (name) => [await pods.sandboxesOf(name), await pods.containersOf(name)]),
  );
  return all.flat(2).map(({ id, createdAt, state }) => ({ id, createdAt, state }));
}

async function running(name: string): Promise<readonly string[]> {
  const containers = await pods.containersOf(name);
  return containers.filter(({ state }) => state === ContainerState.CONTAINER_RUNNING).map(({ id }) => id);
}

test('the node is ready, with the version of the runtime behind the named pipe', async () => {
  const node = await cloud.api.get(KINDS.node, { name: POD_NODE }, signal);
  const { name, version } = await cloud.cri.version(signal);
  expect(node['status']).toMatchObject({
    nodeInfo: { operatingSystem: 'windows', containerRuntimeVersion: `${name}://${version}` },
  });
});

test('a pod runs, its container is restarted when it fails, and nothing is left when it is deleted', async () => {
  await pods.runScript('first', 'echo "instance $0"; sleep 1; exit 3');
  const lastState = { terminated: { exitCode: 3, reason: 'Error' } };
  const pod = await pods.untilStatus('first', {
    phase: 'Running',
    podIP: expect.stringMatching(/^10\.88\.0\.\d+$/),
    containerStatuses: [{ restartCount: 1, lastState }],
  });
  expect(await pods.output('first')).toBe('instance /bin/sh');
  const folder = join(cloud.nodeRoot, 'var/lib/kubelet/pods', pod.metadata.uid ?? '');
  expect(existsSync(folder)).toBe(true);
  await pods.delete('first', 1);
  await pods.untilGone('first');
  await vi.waitFor(async () => expect(await pictureOf('first')).toEqual([]), PATIENCE);
  await vi.waitUntil(() => !existsSync(folder), PATIENCE);
});

test('a killed agent and one that is restarted adopt the pod that runs: its container is not restarted', async () => {
  await pods.runScript('adopted', SLEEP);
  await pods.untilRunning('adopted');
  const before = await pictureOf('adopted');
  await cloud.killAgent();
  await cloud.startAgent();
  await untilConnected(cloud.node);
  await cloud.node.keadm('service', 'restart');
  await untilConnected(cloud.node);
  // Only an agent that observes the pod starts another.
  await pods.runScript('after-adoption', SLEEP);
  await pods.untilRunning('after-adoption');
  expect(await pictureOf('adopted')).toEqual(before);
  expect(restartCounts(await pods.untilRunning('adopted'))).toEqual({ main: 0 });
});

test('without the cloud a restarted agent keeps pods running, and restarts a container that fails', async () => {
  await pods.runScript('kept', SLEEP);
  await pods.runScript('fails', 'while [ ! -e /tmp/exit ]; do sleep 0.1; done; exit 4');
  for (const name of ['kept', 'fails']) await pods.untilRunning(name);
  const before = await pictureOf('kept');
  const [first] = await running('fails');
  await cloud.node.network.cut();
  await untilConnected(cloud.node, false);
  await cloud.node.keadm('service', 'restart');
  await pods.exec('fails', 'touch /tmp/exit');
  await vi.waitFor(
    async () => expect(await running('fails')).toEqual([expect.not.stringMatching(first ?? '')]),
    PATIENCE,
  );
  expect(await pictureOf('kept')).toEqual(before);
  await cloud.node.network.restore();
  await pods.untilStatus('fails', { containerStatuses: [{ restartCount: 1, ready: true }] });
  expect(restartCounts(await pods.untilRunning('kept'))).toEqual({ main: 0 });
});

test('a pod that is deleted while the node is offline ends when it is connected again', async () => {
  await pods.runScript('deleted-offline', SLEEP);
  await pods.untilRunning('deleted-offline');
  await cloud.node.network.cut();
  await untilConnected(cloud.node, false);
  await pods.delete('deleted-offline', 1);
  expect(await running('deleted-offline')).toHaveLength(1);
  await cloud.node.network.restore();
  await pods.untilGone('deleted-offline');
  await vi.waitFor(async () => expect(await pictureOf('deleted-offline')).toEqual([]), PATIENCE);
});

test.skipIf(isShortRun())('a named pipe that breaks makes the node not ready, and restarts no container', async () => {
  await pods.runScript('piped', SLEEP);
  await pods.untilRunning('piped');
  const before = await pictureOf('piped');
  await cloud.relay.cut();
  await untilNodeReady(cloud, 'False');
  await cloud.relay.restore();
  await untilNodeReady(cloud);
  expect(await pictureOf('piped')).toEqual(before);
  expect(restartCounts(await pods.untilRunning('piped'))).toEqual({ main: 0 });
});

test.skipIf(isShortRun())('a reset removes the pods of the node with their volumes', async () => {
  const volumes = [{ name: 'data', emptyDir: {} }];
  await pods.runScript('removed', SLEEP, { volumes }, { volumeMounts: [{ name: 'data', mountPath: '/data' }] });
  await pods.untilRunning('removed');
  await cloud.node.keadm('reset', '--force');
  expect(await cloud.cri.listSandboxes({}, signal)).toEqual([]);
  expect(existsSync(join(cloud.nodeRoot, 'var/lib/kubelet'))).toBe(false);
});
