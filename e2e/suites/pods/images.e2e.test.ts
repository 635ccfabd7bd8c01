import { setTimeout as delay } from 'node:timers/promises';
import { KINDS } from '@fenestra/kube-api';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { REGISTRY_USER } from '../../support/beds/registry.ts';
import { PATIENCE } from '../../support/cloud/patience.ts';
import { type PodCloud, startPodCloud } from '../../support/cloud/pod-cloud.ts';
import { SLEEP, type TestPods, testPods } from '../../support/cloud/test-pods.ts';
import { isShortRun } from '../../support/reporting/short-run.ts';

const { signal } = new AbortController();

describe.skipIf(isShortRun())('images of pods', () => {
  let cloud: PodCloud;
  let pods: TestPods;
  beforeAll(async () => {
    cloud = await startPodCloud(signal);
    pods = testPods(cloud);
  });
  afterAll(async () => cloud?.stop());

  const imageOf = (name: string): string => `${cloud.runtime.registry}/${name}:1`;

  async function requestsFor(name: string): Promise<number> {
    return (await cloud.runtime.registryLog()).filter((line) => line.includes(`/v2/${name}/manifests/`)).length;
  }

  async function untilWaiting(name: string, reason: string, message: string): Promise<void> {
    const waiting = { reason, message: expect.stringContaining(message) };
    await pods.untilStatus(name, { containerStatuses: [{ state: { waiting } }] });
  }

  test.each([
    ['Always', 1],
    ['IfNotPresent', 0],
  ])('with the policy %s a pod asks the registry for a present image %i times', async (imagePullPolicy, more) => {
    const name = `open/${imagePullPolicy.toLowerCase()}`;
    const container = { image: imageOf(name), imagePullPolicy };
    const pod = imagePullPolicy.toLowerCase();
    await pods.runScript(`${pod}-1`, SLEEP, {}, container);
    await pods.untilRunning(`${pod}-1`);
    const first = await requestsFor(name);
    expect(first).toBeGreaterThan(0);
    await pods.runScript(`${pod}-2`, SLEEP, {}, container);
    await pods.untilRunning(`${pod}-2`);
    expect((await requestsFor(name)) - first > 0).toBe(more > 0);
  });

  test('with the policy Never a present image is used, and an absent one is reported', async () => {
    await pods.runScript('never-present', SLEEP, {}, { imagePullPolicy: 'Never' });
    await pods.untilRunning('never-present');
    await pods.runScript('never-absent', SLEEP, {}, { image: imageOf('open/never'), imagePullPolicy: 'Never' });
    await untilWaiting('never-absent', 'ErrImageNeverPull', 'is not present with pull policy of Never');
    expect(await requestsFor('open/never')).toBe(0);
  });

  test('an image that the registry does not have is reported', async () => {
    await pods.runScript('absent', SLEEP, {}, { image: imageOf('absent/image') });
    await untilWaiting('absent', 'ImagePullBackOff', 'not found');
  });

  test('a registry that fails is asked again after 10 s, and the pod says so until then', async () => {
    await pods.runScript('broken', SLEEP, {}, { image: imageOf('broken/image') });
    await untilWaiting('broken', 'ImagePullBackOff', `Back-off pulling image "${imageOf('broken/image')}"`);
    const first = await requestsFor('broken/image');
    const start = performance.now();
    await delay(6_000);
    expect(await requestsFor('broken/image')).toBe(first);
    await vi.waitFor(async () => expect(await requestsFor('broken/image')).toBeGreaterThan(first), PATIENCE);
    expect(performance.now() - start).toBeLessThan(13_000);
    await pods.delete('broken');
  });

  async function createPullSecret(name: string, password: string): Promise<void> {
    const auths = { [cloud.runtime.registry]: { username: REGISTRY_USER.username, password } };
    const data = { '.dockerconfigjson': Buffer.from(JSON.stringify({ auths })).toString('base64') };
    const type = 'kubernetes.io/dockerconfigjson';
    const metadata = { name, namespace: 'default' };
    await cloud.api.create(KINDS.secret, { apiVersion: 'v1', kind: 'Secret', metadata, type, data }, signal);
  }

  test('a private image is pulled with the secret of the pod, and not without', async () => {
    await createPullSecret('right', REGISTRY_USER.password);
    await createPullSecret('wrong', 'wrong');
    await pods.runScript('without-secret', SLEEP, {}, { image: imageOf('private/without') });
    await pods.runScript(
      'missing-secret',
      SLEEP,
      { imagePullSecrets: [{ name: 'absent' }] },
      { image: imageOf('private/missing') },
    );
    await pods.runScript(
      'wrong-secret',
      SLEEP,
      { imagePullSecrets: [{ name: 'wrong' }] },
      { image: imageOf('private/wrong') },
    );
    const two = [{ name: 'wrong' }, { name: 'right' }];
    await pods.runScript('two-secrets', SLEEP, { imagePullSecrets: two }, { image: imageOf('private/two') });
    await pods.untilRunning('two-secrets');
    for (const name of ['without-secret', 'missing-secret', 'wrong-secret'])
      await pods.untilStatus(name, {
        phase: 'Pending',
        containerStatuses: [{ state: { waiting: { reason: 'ImagePullBackOff' } } }],
      });
  });

  test('with the policy Always a present image is used when the registry is unreachable, and the log says so', async () => {
    const container = { image: imageOf('open/always'), imagePullPolicy: 'Always' };
    await cloud.run(['pkill', '-KILL', '-f', 'registry-main']);
    await pods.runScript('registry-gone', SLEEP, {}, container);
    await pods.untilRunning('registry-gone');
    expect(await cloud.agentLog()).toContain('Cannot reach the registry; using the image that is present');
    await pods.runScript('registry-gone-absent', SLEEP, {}, { image: imageOf('open/other') });
    await untilWaiting('registry-gone-absent', 'ImagePullBackOff', 'connection refused');
  });
});
