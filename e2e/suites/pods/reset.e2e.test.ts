import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { KINDS } from '@fenestra/kube-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PodCloud, startPodCloud } from '../../support/cloud/pod-cloud.ts';
import { SLEEP, type TestPods, testPods } from '../../support/cloud/test-pods.ts';

const { signal } = new AbortController();
let cloud: PodCloud;
let pods: TestPods;
beforeAll(async () => {
  cloud = await startPodCloud(signal);
  pods = testPods(cloud);
});
afterAll(async () => cloud?.stop());

test('a reset removes the pods of the node with their volumes', async () => {
  const metadata = { name: 'password', namespace: 'default' };
  const data = { password: Buffer.from('a secret').toString('base64') };
  await cloud.api.create(KINDS.secret, { apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata, data }, signal);
  const volumes = [
    { name: 'secret', secret: { secretName: 'password' } },
    { name: 'memory', emptyDir: { medium: 'Memory' } },
  ];
  const volumeMounts = volumes.map(({ name }) => ({ name, mountPath: `/${name}` }));
  await pods.runScript('with-secret', SLEEP, { volumes }, { volumeMounts });
  await pods.untilRunning('with-secret');
  const mounts = async (): Promise<string> => cloud.run(['cat', '/proc/self/mountinfo']);
  expect(await mounts()).toContain(join(cloud.nodeRoot, 'var/lib/kubelet/pods'));

  await cloud.run([join(cloud.runtime.folder, 'keadm'), 'reset', '--root', cloud.nodeRoot, '--force']);
  expect(await cloud.cri.listSandboxes({}, signal)).toEqual([]);
  expect(await mounts()).not.toContain(join(cloud.nodeRoot, 'var/lib/kubelet'));
  await expect(access(join(cloud.nodeRoot, 'var/lib/kubelet'))).rejects.toMatchObject({ code: 'ENOENT' });
});
