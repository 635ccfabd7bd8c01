import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { KINDS } from '@fenestra/kube-api';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { KUBERNETES_NAMESPACE } from '../../support/beds/containerd-bed.ts';
import { makeFillerImage, PAUSE_IMAGE, POD_IMAGE } from '../../support/beds/test-images.ts';
import { KUBELET_SETTINGS, type PodCloud, POD_NODE, startPodCloud } from '../../support/cloud/pod-cloud.ts';
import { SLEEP, type TestPods, testPods } from '../../support/cloud/test-pods.ts';
import { isShortRun } from '../../support/reporting/short-run.ts';

const { signal } = new AbortController();
/** Some works begin a minute after the start of the agent. */
const SLOW = { timeout: 240_000, interval: 500 };
const STORE_MEBIBYTES = 400;
const FILLER_MEBIBYTES = 40;

function kubelet(name: string, value: string): string {
  return `${KUBELET_SETTINGS}.${name}=${value}`;
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
});
