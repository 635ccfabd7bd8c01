import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ContainerState } from '@fenestra/cri/messages';
import { type JsonObject, KINDS, stringAt } from '@fenestra/kube-api';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { KUBERNETES_NAMESPACE } from '../../support/beds/containerd-bed.ts';
import { makeFillerImage, PAUSE_IMAGE, POD_IMAGE } from '../../support/beds/test-images.ts';
import {
  conditionOf,
  KUBELET_SETTINGS,
  type PodCloud,
  POD_NODE,
  startPodCloud,
} from '../../support/cloud/pod-cloud.ts';
import { restartCounts, scriptContainer, SLEEP, type TestPods, testPods } from '../../support/cloud/test-pods.ts';
import { isShortRun } from '../../support/reporting/short-run.ts';

const { signal } = new AbortController();
/** Some works begin a minute after the start of the agent. */
const SLOW = { timeout: 240_000, interval: 500 };
const STORE_MEBIBYTES = 400;
const FILLER_MEBIBYTES = 40;

function kubelet(name: string, value: string): string {
  return `${KUBELET_SETTINGS}.${name}=${value}`;
}

function hard(name: string, value: string): string {
  return kubelet(`evictionHard["${name}"]`, value);
}

function writing(file: string, mebibytes: number): string {
  return `dd if=/dev/zero of=${file} bs=1M count=${mebibytes}; ${SLEEP}`;
}

describe.skipIf(isShortRun())('a node that runs short', () => {
  let cloud: PodCloud;
  let pods: TestPods;
  beforeAll(async () => {
    const settings = [
      kubelet('evictionPressureTransitionPeriod', '0s'),
      kubelet('imageMinimumGCAge', '0s'),
      kubelet('volumeStatsAggPeriod', '2s'),
      kubelet('nodeStatusMaxImages', '50'),
    ];
    cloud = await startPodCloud(signal, { storeMebibytes: STORE_MEBIBYTES, settings });
    pods = testPods(cloud);
  });
  afterAll(async () => cloud?.stop());

  const nodeOf = async () => cloud.api.get(KINDS.node, { name: POD_NODE }, signal);

  async function untilCondition(type: string, status: string): Promise<void> {
    await vi.waitFor(async () => expect(conditionOf(await nodeOf(), type)).toMatchObject({ status }), SLOW);
  }

  async function importFiller(name: string): Promise<string> {
    const folder = join(cloud.runtime.folder, name);
    await mkdir(folder);
    const image = `fenestra.test/${name}:1`;
    const archive = await makeFillerImage(folder, image, FILLER_MEBIBYTES, signal);
    await cloud.runtime.ctr(KUBERNETES_NAMESPACE, ['images', 'import', archive]);
    return image;
  }

  async function imageNames(): Promise<readonly string[]> {
    return (await cloud.cri.listImages(signal)).flatMap(({ repoTags }) => repoTags);
  }

  async function removeAll(...names: readonly string[]): Promise<void> {
    await Promise.all(names.map(async (name) => pods.delete(name)));
    await Promise.all(names.map(async (name) => pods.untilGone(name)));
  }

  /** The pods that were evicted, in their order. */
  async function evictions(): Promise<readonly string[]> {
    const log = await cloud.agentLog();
    return log
      .split('\n')
      .filter((line) => line.includes('"A pod is evicted"'))
      .map((line) => stringAt(JSON.parse(line), 'pod').replace('default/', ''));
  }

  const EVICTED = { phase: 'Failed', reason: 'Evicted' };
  const ABSENT = { volumes: [{ name: 'v', configMap: { name: 'absent' } }] };

  test('images that nothing needs are removed when their disk is too full, and others are kept', async () => {
    const [unused, needed] = [await importFiller('unused'), await importFiller('needed')];
    // Its container is never made: only the definition of the pod needs the image.
    await pods.runScript('waits', SLEEP, ABSENT, { image: needed });
    await pods.runScript('runs', SLEEP);
    await pods.untilRunning('runs');
    await cloud.configure(kubelet('imageGCHighThresholdPercent', '20'), kubelet('imageGCLowThresholdPercent', '1'));
    await vi.waitFor(async () => expect(await imageNames()).not.toContain(unused), SLOW);
    expect(await imageNames()).toEqual(expect.arrayContaining([needed, PAUSE_IMAGE, POD_IMAGE]));
    await removeAll('waits');
    await vi.waitFor(async () => expect(await imageNames()).not.toContain(needed), SLOW);
    expect(await imageNames()).toEqual(expect.arrayContaining([PAUSE_IMAGE, POD_IMAGE]));
    await cloud.configure(kubelet('imageGCHighThresholdPercent', '100'));
    await removeAll('runs');
  });

  test('the status of the node lists its images, the largest first', async () => {
    const image = await importFiller('listed');
    await vi.waitFor(async () => {
      const status = (await nodeOf())['status'];
      expect(status).toMatchObject({ images: [{ names: [image] }, expect.anything(), expect.anything()] });
    }, SLOW);
    await cloud.runtime.ctr(KUBERNETES_NAMESPACE, ['images', 'remove', image]);
  });

  async function untilUsed(name: string, kind: 'memory' | 'layer', mebibytes: number): Promise<void> {
    await vi.waitFor(async () => {
      const labelSelector = { 'io.kubernetes.pod.name': name };
      const [stats] = await cloud.cri.containerStats({ labelSelector }, signal);
      const bytes = kind === 'memory' ? stats?.memory?.workingSetBytes : stats?.writableLayer?.usedBytes;
      expect(Number(bytes?.value ?? 0n)).toBeGreaterThan(mebibytes * 2 ** 20);
    }, SLOW);
  }

  test('pods are evicted by rank under memory pressure, those without requests are refused, and critical ones stay', async () => {
    const volumes = [{ name: 'memory', emptyDir: { medium: 'Memory' } }];
    const volumeMounts = [{ name: 'memory', mountPath: '/memory' }];
    await pods.runScript('modest', SLEEP, {}, { resources: { requests: { memory: '500Mi' } } });
    await pods.runScript('greedy', writing('/memory/file', 100), { volumes }, { volumeMounts });
    await pods.runScript('idle', SLEEP);
    await pods.runScript('critical', SLEEP, { priorityClassName: 'system-node-critical' });
    for (const name of ['modest', 'greedy', 'idle', 'critical']) await pods.untilRunning(name);
    await untilUsed('greedy', 'memory', 90);
    const before = await evictions();
    // Some memory is always in use, whatever else runs here.
    await cloud.configure(hard('memory.available', '100%'));
    const message = expect.stringMatching(
      /^The node was low on resource: memory\. Threshold quantity: 100%, available: \d+Ki\. $/,
    );
    const target = expect.objectContaining({
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'TerminationByKubelet',
    });
    for (const name of ['greedy', 'idle', 'modest']) {
      await pods.untilStatus(name, { ...EVICTED, message, conditions: expect.arrayContaining([target]) }, SLOW.timeout);
    }
    expect((await evictions()).slice(before.length)).toEqual(['greedy', 'idle', 'modest']);
    await untilCondition('MemoryPressure', 'True');
    await pods.runScript('refused', SLEEP);
    await pods.untilStatus('refused', { ...EVICTED, message: 'The node had condition: [MemoryPressure]. ' });
    expect(await pods.sandboxesOf('refused')).toEqual([]);
    await cloud.configure(hard('memory.available', '1Mi'));
    await untilCondition('MemoryPressure', 'False');
    await pods.runScript('welcome', SLEEP);
    await pods.untilRunning('welcome');
    expect(restartCounts(await pods.untilRunning('critical'))).toEqual({ main: 0 });
    await removeAll('modest', 'greedy', 'idle', 'critical', 'refused', 'welcome');
  });

  test('a short disk of images is freed of what nothing needs before the pod that uses most is evicted', async () => {
    const unused = [await importFiller('unused-1'), await importFiller('unused-2')];
    await pods.runScript('small', SLEEP);
    await pods.untilRunning('small');
    const before = await evictions();
    const shortDisk = hard('imagefs.available', '75%');
    await cloud.configure(shortDisk);
    await vi.waitFor(async () => {
      const names = await imageNames();
      for (const name of unused) expect(names).not.toContain(name);
    }, SLOW);
    await untilCondition('DiskPressure', 'False');
    expect(await evictions()).toEqual(before);
    await cloud.configure(hard('imagefs.available', '0%'));
    await pods.runScript('large', writing('/file', 150));
    await untilUsed('large', 'layer', 140);
    await cloud.configure(shortDisk);
    await pods.untilStatus(
      'large',
      { ...EVICTED, message: expect.stringContaining('low on resource: ephemeral-storage. Threshold quantity: 75%') },
      SLOW.timeout,
    );
    await untilCondition('DiskPressure', 'False');
    expect((await evictions()).slice(before.length)).toEqual(['large']);
    expect(restartCounts(await pods.untilRunning('small'))).toEqual({ main: 0 });
    await cloud.configure(hard('imagefs.available', '0%'));
    await removeAll('small', 'large');
  });

  const DATA = { volumes: [{ name: 'data', emptyDir: { sizeLimit: '10Mi' } }] };
  const IN_DATA = { volumeMounts: [{ name: 'data', mountPath: '/data' }] };
  const LIMITED = { resources: { limits: { 'ephemeral-storage': '10Mi' } } };

  test('a pod that uses more of the disk than one of its limits is evicted, and one within them is not', async () => {
    await pods.runScript('within', writing('/data/file', 5), DATA, IN_DATA);
    await pods.runScript('volume', writing('/data/file', 20), DATA, IN_DATA);
    await pods.runScript('layer', writing('/file', 20), {}, LIMITED);
    const containers = [scriptContainer('main', writing('/file', 20), LIMITED), scriptContainer('other', SLEEP)];
    await pods.create('container', { containers });
    for (const [name, message] of [
      ['volume', 'Usage of EmptyDir volume "data" exceeds the limit "10Mi". '],
      ['layer', 'Pod ephemeral local storage usage exceeds the total limit of containers 10Mi. '],
      ['container', 'Container main exceeded its local ephemeral storage limit "10Mi". '],
    ] as const) {
      await pods.untilStatus(name, { ...EVICTED, message }, SLOW.timeout);
    }
    expect(restartCounts(await pods.untilRunning('within'))).toEqual({ main: 0 });
    await removeAll('within', 'volume', 'layer', 'container');
  });

  test('a pod is evicted while the cloud is away, and is Failed when the cloud is back', async () => {
    await pods.runScript('offline', SLEEP, DATA, IN_DATA);
    await pods.untilRunning('offline');
    await cloud.stopCloud();
    await pods.exec('offline', 'dd if=/dev/zero of=/data/file bs=1M count=20');
    await vi.waitFor(async () => {
      const states = (await pods.containersOf('offline')).map(({ state }) => state);
      expect(states).toEqual([ContainerState.CONTAINER_EXITED]);
    }, SLOW);
    await cloud.startCloud();
    await pods.untilStatus('offline', EVICTED, SLOW.timeout);
    await removeAll('offline');
  });

  test('a pod that the node cannot run fails with the reason', async () => {
    const port = { ports: [{ containerPort: 80, hostPort: 8080 }] };
    await pods.runScript('has-port', SLEEP, {}, port);
    await pods.untilRunning('has-port');
    const reasons: readonly (readonly [string, JsonObject, JsonObject])[] = [
      ['OutOfcpu', {}, { resources: { requests: { cpu: '1000' } } }],
      ['OutOfmemory', {}, { resources: { requests: { memory: '1000Ti' } } }],
      ['OutOfephemeral-storage', {}, { resources: { requests: { 'ephemeral-storage': '1000Pi' } } }],
      ['NodeAffinity', { nodeSelector: { hall: 'other' } }, {}],
      ['PodOSNotSupported', { os: { name: 'windows' } }, {}],
      ['NodePorts', {}, port],
    ];
    for (const [reason, spec, container] of reasons) {
      const name = reason.toLowerCase();
      await pods.runScript(name, SLEEP, spec, container);
      await pods.untilStatus(name, { phase: 'Failed', reason });
      expect(await pods.sandboxesOf(name)).toEqual([]);
    }
    await removeAll('has-port', ...reasons.map(([reason]) => reason.toLowerCase()));
  });

  // The last one: nothing needs an image any more after it.
  test('a node under disk pressure refuses every pod', async () => {
    await cloud.configure(hard('imagefs.available', '100%'));
    await untilCondition('DiskPressure', 'True');
    await pods.runScript('refused', SLEEP, {}, { resources: { requests: { memory: '1Mi' } } });
    await pods.untilStatus('refused', { ...EVICTED, message: 'The node had condition: [DiskPressure]. ' });
    await cloud.configure(hard('imagefs.available', '0%'));
    await untilCondition('DiskPressure', 'False');
    await removeAll('refused');
  });
});
