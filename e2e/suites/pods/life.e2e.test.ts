import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { PATIENCE } from '../../support/cloud/patience.ts';
import { type PodCloud, startPodCloud } from '../../support/cloud/pod-cloud.ts';
import { scriptContainer, SLEEP, type TestPods, testPods } from '../../support/cloud/test-pods.ts';
import { debianKubectl } from '../../support/machines/debian-kubectl.ts';

const { signal } = new AbortController();

describe('a node with one runtime', () => {
  let cloud: PodCloud;
  let pods: TestPods;
  beforeAll(async () => {
    cloud = await startPodCloud(signal);
    pods = testPods(cloud);
  });
  afterAll(async () => cloud?.stop());

  test('a pod runs, and the runtime has it with the labels, annotations and log paths of a kubelet', async () => {
    await pods.create(
      'labelled',
      { containers: [scriptContainer('main', `echo hi; ${SLEEP}`)] },
      { labels: { app: 'web' }, annotations: { note: 'of the pod' } },
    );
    const { metadata } = await pods.untilRunning('labelled');
    const identity = {
      'io.kubernetes.pod.name': 'labelled',
      'io.kubernetes.pod.namespace': 'default',
      'io.kubernetes.pod.uid': metadata.uid,
    };
    const [sandbox] = await pods.sandboxesOf('labelled');
    expect(sandbox?.labels).toEqual({ ...identity, app: 'web' });
    expect(sandbox?.annotations).toMatchObject({ note: 'of the pod' });
    const [container] = await pods.containersOf('labelled');
    expect(container?.labels).toEqual({ ...identity, 'io.kubernetes.container.name': 'main' });
    expect(container?.annotations).toMatchObject({
      'io.kubernetes.container.restartCount': '0',
      'io.kubernetes.container.hash': expect.stringMatching(/^[0-9a-f]{1,8}$/),
      'io.kubernetes.pod.terminationGracePeriod': '1',
    });
    expect(await pods.output('labelled')).toBe('hi');
    const logs = join(cloud.nodeRoot, 'var/log/pods', `default_labelled_${metadata.uid}`, 'main');
    expect(await readdir(logs)).toEqual(['0.log']);
  });

  test('"kubectl delete pod" returns when the pod has ended, and nothing of it is left', async () => {
    await pods.runScript('deleted', SLEEP);
    const { metadata } = await pods.untilRunning('deleted');
    const kubectl = await debianKubectl(signal);
    const args = ['--kubeconfig', cloud.kubeconfig, 'delete', 'pod', 'deleted', '--timeout=60s'];
    expect(await cloud.run([kubectl, ...args])).toContain('deleted');
    expect(await pods.find('deleted')).toBeUndefined();
    await vi.waitFor(async () => expect(await leftOf('deleted', metadata.uid ?? '')).toEqual([]), PATIENCE);
  });

  /** What the runtime, the disk and the control groups have of a pod. */
  async function leftOf(name: string, uid: string): Promise<readonly string[]> {
    const parts = [...(await pods.sandboxesOf(name)), ...(await pods.containersOf(name))].map(({ id }) => id);
    const folders = [`${cloud.nodeRoot}/var`, '/sys/fs/cgroup'];
    const files = await cloud.run(['find', ...folders, '-path', `*${uid}*`, '-print', '-prune']);
    return [...parts, ...files.split('\n').filter((line) => line !== '')];
  }

  test('a pod of another node is not run', async () => {
    await pods.runScript('elsewhere', SLEEP, { nodeName: 'press-2' });
    await pods.runScript('here', SLEEP);
    await pods.untilRunning('here');
    expect(await pods.sandboxesOf('elsewhere')).toEqual([]);
    expect((await pods.find('elsewhere'))?.['status']).toMatchObject({ phase: 'Pending' });
  });

  test('an image name that is not one is reported', async () => {
    await pods.create('misnamed', { containers: [{ name: 'main', image: 'NOT A NAME' }] });
    const waiting = { reason: 'InvalidImageName', message: expect.stringContaining('NOT A NAME') };
    await pods.untilStatus('misnamed', { phase: 'Pending', containerStatuses: [{ state: { waiting } }] });
  });
});
