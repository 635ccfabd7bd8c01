import { setTimeout as delay } from 'node:timers/promises';
import { KINDS } from '@fenestra/kube-api';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { PATIENCE } from '../../support/cloud/patience.ts';
import { type PodCloud, POD_NODE, startPodCloud, untilNodeReady } from '../../support/cloud/pod-cloud.ts';
import { conditionOf, restartCounts, SLEEP, type TestPods, testPods } from '../../support/cloud/test-pods.ts';
import { isShortRun } from '../../support/reporting/short-run.ts';

const { signal } = new AbortController();

describe('restarts of the parts of a node', () => {
  let cloud: PodCloud;
  let pods: TestPods;
  beforeAll(async () => {
    cloud = await startPodCloud(signal);
    pods = testPods(cloud);
  });
  afterAll(async () => cloud?.stop());

  /** What the runtime has of pods: the ids of their containers and when these were created. */
  async function pictureOf(names: readonly string[]): Promise<readonly unknown[]> {
    const all = await Promise.all(names.map(async (name) => [await pods.sandboxesOf(name), await pods.containersOf(name)]));
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

  test('a killed containerd that is started again restarts no container, and the node says so meanwhile', async () => {
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
});
