import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PodCloud, POD_NODE, startPodCloud } from '../../support/cloud/pod-cloud.ts';
import { type TestPods, testPods } from '../../support/cloud/test-pods.ts';
import { debianKubectl } from '../../support/machines/debian-kubectl.ts';

const { signal } = new AbortController();
const NEEDED_SECONDS = 3;
/** It needs some time after SIGTERM, and then leaves a file. */
const ORDERLY = `trap 'sleep ${NEEDED_SECONDS}; echo "$NAME ended in order" > /out/$NAME; exit 0' TERM; while :; do sleep 0.2; done`;
const STUBBORN = 'trap "" TERM; while :; do sleep 0.2; done';

let cloud: PodCloud;
let pods: TestPods;
beforeAll(async () => {
  cloud = await startPodCloud(signal);
  pods = testPods(cloud);
});
afterAll(async () => cloud?.stop());

async function runPod(name: string, script: string, terminationGracePeriodSeconds: number): Promise<void> {
  const hostPath = { path: join(cloud.runtime.folder, 'out'), type: 'DirectoryOrCreate' };
  const spec = { terminationGracePeriodSeconds, volumes: [{ name: 'out', hostPath }] };
  const container = { env: [{ name: 'NAME', value: name }], volumeMounts: [{ name: 'out', mountPath: '/out' }] };
  await pods.runScript(name, script, spec, container);
  await pods.untilRunning(name);
}

async function lastWords(name: string): Promise<string> {
  return readFile(join(cloud.runtime.folder, 'out', name), 'utf8');
}

test('"kubectl drain" ends when the pods of the node have ended in order', async () => {
  await runPod('drained', ORDERLY, 30);
  const kubectl = [await debianKubectl(signal), '--kubeconfig', cloud.kubeconfig];
  await cloud.run([...kubectl, 'drain', POD_NODE, '--force', '--timeout=120s']);
  expect(await lastWords('drained')).toBe('drained ended in order\n');
  expect(await pods.find('drained')).toBeUndefined();
  await cloud.run([...kubectl, 'uncordon', POD_NODE]);
});

test('a reset gives every pod its grace period, up to a limit that it reports', async () => {
  await runPod('orderly', ORDERLY, 20);
  await runPod('stubborn', STUBBORN, 3600);
  const keadm = join(cloud.runtime.folder, 'keadm');
  const words = ['reset', '--root', cloud.nodeRoot, '--force', '--pod-grace', '8s'];
  const { exitCode, stdout, stderr } = await cloud.runtime.cage.run([keadm, ...words], { timeoutMs: 180_000 }, signal);
  expect(exitCode, stderr).toBe(0);
  expect(await lastWords('orderly')).toBe('orderly ended in order\n');
  expect(`${stdout}${stderr}`).toContain(
    'The pod default/stubborn got 8 s to end, and not the 3600 s that it asks for',
  );
  expect(await cloud.cri.listSandboxes({}, signal)).toEqual([]);
});
