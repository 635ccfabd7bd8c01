import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ContainerState, PodSandboxState } from '@fenestra/cri/messages';
import { KINDS, listAt } from '@fenestra/kube-api';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ContainerdRelease } from '../../support/beds/pod-runtime.ts';
import { PATIENCE } from '../../support/cloud/patience.ts';
import { conditionOf, type PodCloud, POD_NODE, startPodCloud, untilNodeReady } from '../../support/cloud/pod-cloud.ts';
import { restartCounts, scriptContainer, SLEEP, type TestPods, testPods } from '../../support/cloud/test-pods.ts';
import { isShortRun } from '../../support/reporting/short-run.ts';

const { signal } = new AbortController();
/** containerd 1.6 has no events, 1.7 shares them among its clients, and 2 gives every client all of them. */
const RELEASES: readonly ContainerdRelease[] = isShortRun() ? ['installed'] : ['installed', 'trixie', 'sid'];

describe.each(RELEASES)('restarts of the parts of a node with containerd (%s)', (release) => {
  let cloud: PodCloud;
  let pods: TestPods;
  beforeAll(async () => {
    cloud = await startPodCloud(signal, { release });
    pods = testPods(cloud);
  });
  afterAll(async () => cloud?.stop());

  /** What the runtime has of pods: the ids of their containers and when these were created. */
  async function pictureOf(names: readonly string[]): Promise<readonly unknown[]> {
    const all = await Promise.all(
      names.map(async (name) => [await pods.sandboxesOf(name), await pods.containersOf(name)]),
    );
    return all.flat(2).map(({ id, createdAt, state }) => ({ id, createdAt, state }));
  }

  async function startMany(prefix: string, count: number): Promise<readonly string[]> {
    const names = Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
    await Promise.all(names.map(async (name) => pods.runScript(name, SLEEP)));
    await Promise.all(names.map(async (name) => pods.untilRunning(name)));
    return names;
  }

  async function removeAll(names: readonly string[]): Promise<void> {
    await Promise.all(names.map(async (name) => pods.delete(name)));
    await Promise.all(names.map(async (name) => pods.untilGone(name)));
  }

  test('a killed agent adopts the pods that run: no container is restarted', async () => {
    const names = await startMany('adopted', isShortRun() ? 5 : 20);
    const before = await pictureOf(names);
    await cloud.killAgent();
    await cloud.startAgent();
    await untilNodeReady(cloud);
    await delay(5_000);
    expect(await pictureOf(names)).toEqual(before);
    for (const name of names) expect(restartCounts(await pods.untilRunning(name))).toEqual({ main: 0 });
    await removeAll(names);
  });

  test('a killed containerd that is started again restarts no container, and the node says so until then', async () => {
    const names = await startMany('kept', 3);
    const before = await pictureOf(names);
    await cloud.runtime.kill();
    await untilNodeReady(cloud, 'False');
    const node = await cloud.api.get(KINDS.node, { name: POD_NODE }, signal);
    expect(conditionOf(node, 'Ready')).toMatchObject({
      reason: 'KubeletNotReady',
      message: expect.stringContaining('container runtime is down'),
    });
    await cloud.runtime.start();
    await untilNodeReady(cloud);
    expect(conditionOf(await cloud.api.get(KINDS.node, { name: POD_NODE }, signal), 'Ready')).toMatchObject({
      reason: 'KubeletReady',
    });
    await delay(3_000);
    expect(await pictureOf(names)).toEqual(before);
    for (const name of names) expect(restartCounts(await pods.untilRunning(name))).toEqual({ main: 0 });
    await removeAll(names);
  });

  test('a pod that is deleted while the agent is down ends when the agent is back', async () => {
    await pods.runScript('deleted-offline', SLEEP);
    await pods.untilRunning('deleted-offline');
    await cloud.killAgent();
    await pods.delete('deleted-offline', 1);
    await delay(1_000);
    expect(await pods.find('deleted-offline')).toBeDefined();
    await cloud.startAgent();
    await pods.untilGone('deleted-offline');
    await vi.waitFor(async () => expect(await pods.sandboxesOf('deleted-offline')).toEqual([]), PATIENCE);
  });

  test('an agent that is killed at any moment of a start ends with one sandbox and one container of each pod', async () => {
    for (const round of Array.from({ length: isShortRun() ? 1 : 8 }, (_, index) => index)) {
      const names = ['a', 'b', 'c'].map((letter) => `killed-${round}-${letter}`);
      await Promise.all(names.map(async (name) => pods.runScript(name, SLEEP)));
      await delay(Math.random() * 600);
      await cloud.killAgent();
      await cloud.startAgent();
      for (const name of names) {
        await pods.untilRunning(name);
        const sandboxes = (await pods.sandboxesOf(name)).filter(({ state }) => state === PodSandboxState.SANDBOX_READY);
        expect(sandboxes).toHaveLength(1);
        // A start that was interrupted leaves a container that never ran, which counts as a restart.
        const containers = await pods.containersOf(name);
        expect(containers.filter(({ state }) => state === ContainerState.CONTAINER_RUNNING)).toHaveLength(1);
        expect(containers.length).toBeLessThanOrEqual(2);
      }
      await removeAll(names);
    }
  });

  /** Creates a pod whose container exits with 3 when the test asks for it, and restarts. */
  async function startStoppable(name: string): Promise<{ readonly exitNow: () => Promise<void> }> {
    const folder = join(cloud.runtime.folder, name);
    const volumes = [{ name: 'control', hostPath: { path: folder, type: 'DirectoryOrCreate' } }];
    const script = 'while [ ! -e /control/exit ]; do sleep 0.1; done; rm /control/exit; exit 3';
    const volumeMounts = [{ name: 'control', mountPath: '/control' }];
    await pods.runScript(name, script, { volumes }, { volumeMounts });
    await pods.untilRunning(name);
    return {
      async exitNow() {
        await writeFile(join(folder, 'exit'), '');
        await vi.waitUntil(() => !existsSync(join(folder, 'exit')), PATIENCE);
      },
    };
  }

  test('a container that ends while the agent is down is restarted, and its exit code is kept', async () => {
    const { exitNow } = await startStoppable('ended-unseen');
    await cloud.killAgent();
    await exitNow();
    await delay(500);
    await cloud.startAgent();
    const lastState = { terminated: { exitCode: 3, reason: 'Error' } };
    await pods.untilStatus('ended-unseen', { containerStatuses: [{ restartCount: 1, ready: true, lastState }] });
    await pods.delete('ended-unseen');
  });

  test('a container that ends while containerd is down is restarted, and its end is reported as the runtime knows it', async () => {
    const { exitNow } = await startStoppable('ended-alone');
    await cloud.runtime.kill();
    await exitNow();
    await delay(500);
    await cloud.runtime.start();
    const pod = await pods.untilStatus('ended-alone', { containerStatuses: [{ restartCount: 1, ready: true }] });
    // containerd 1.6 learns the exit code from the shim; later versions do not.
    const lastState = release === 'installed' ? { exitCode: 3, reason: 'Error' } : { exitCode: 255, reason: 'Unknown' };
    expect(listAt(pod, 'status', 'containerStatuses')[0]).toMatchObject({ lastState: { terminated: lastState } });
    await pods.delete('ended-alone');
  });

  test('after a reboot without the cloud every pod runs again, from its init containers on', async () => {
    const folder = join(cloud.runtime.folder, 'boots');
    const volumes = [{ name: 'boots', hostPath: { path: folder, type: 'DirectoryOrCreate' } }];
    const volumeMounts = [{ name: 'boots', mountPath: '/boots' }];
    const initContainers = [scriptContainer('init', 'echo init >> /boots/order', { volumeMounts })];
    const script = `echo main >> /boots/order; ${SLEEP}`;
    await pods.runScript('rebooted', script, { volumes, initContainers }, { volumeMounts });
    const { metadata } = await pods.untilRunning('rebooted');
    await cloud.stopCloud();
    await cloud.reboot();
    await cloud.startAgent();
    const order = async (): Promise<string> => readFile(join(folder, 'order'), 'utf8');
    await vi.waitFor(async () => expect(await order()).toBe('init\nmain\ninit\nmain\n'), PATIENCE);
    await cloud.startCloud();
    await untilNodeReady(cloud);
    const pod = await pods.untilStatus('rebooted', {
      phase: 'Running',
      containerStatuses: [{ ready: true, restartCount: 1 }],
    });
    expect(pod.metadata.uid).toBe(metadata.uid);
  });
});
