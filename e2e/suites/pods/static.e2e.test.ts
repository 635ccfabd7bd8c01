import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type JsonObject, listAt, stringAt } from '@fenestra/kube-api';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { PATIENCE } from '../../support/cloud/patience.ts';
import { type PodCloud, POD_NODE, startPodCloud, untilNodeReady } from '../../support/cloud/pod-cloud.ts';
import { scriptContainer, type TestPods, testPods } from '../../support/cloud/test-pods.ts';
import { debianKubectl } from '../../support/machines/debian-kubectl.ts';

const { signal } = new AbortController();
const MIRROR = 'kubernetes.io/config.mirror';

let cloud: PodCloud;
let pods: TestPods;
beforeAll(async () => {
  cloud = await startPodCloud(signal);
  pods = testPods(cloud);
  await mkdir(manifest(''), { recursive: true });
});
afterAll(async () => cloud?.stop());

function manifest(name: string): string {
  return join(cloud.nodeRoot, 'etc/kubeedge/manifests', name);
}

/** Where pods of these tests write, outside of them. */
function notes(name: string): string {
  return join(cloud.runtime.folder, 'notes', name);
}

/** A pod that notes its starts and ends as those of a version. */
function podText(name: string, version: string, spec: JsonObject = {}): string {
  const file = `/notes/${name}`;
  const script = `echo start ${version} >> ${file}; trap "echo stop ${version} >> ${file}; exit 0" TERM; while :; do sleep 0.1; done`;
  const volumes = [
    { name: 'notes', hostPath: { path: join(cloud.runtime.folder, 'notes'), type: 'DirectoryOrCreate' } },
  ];
  const volumeMounts = [{ name: 'notes', mountPath: '/notes' }];
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: {
      terminationGracePeriodSeconds: 10,
      volumes,
      containers: [scriptContainer('main', script, { volumeMounts })],
      ...spec,
    },
  });
}

async function mirrorUid(name: string): Promise<string> {
  return (await pods.find(name))?.metadata.uid ?? '';
}

async function containerIds(name: string): Promise<readonly string[]> {
  return (await pods.containersOf(name)).map(({ id }) => id);
}

async function untilLogged(...parts: readonly string[]): Promise<void> {
  await vi.waitFor(async () => {
    const lines = (await cloud.agentLog()).split('\n');
    expect(lines.some((line) => parts.every((part) => line.includes(part)))).toBe(true);
  }, PATIENCE);
}

test('a file defines a pod that runs and is shown in the cloud by a mirror of its node', async () => {
  await writeFile(manifest('first.yaml'), podText('first', '1'));
  const mirror = await pods.untilRunning('first-press-1');
  expect(stringAt(mirror, 'metadata', 'annotations', MIRROR)).toMatch(/^[0-9a-f]{32}$/);
  expect(listAt(mirror, 'metadata', 'ownerReferences')).toEqual([
    expect.objectContaining({ kind: 'Node', name: POD_NODE, controller: true }),
  ]);
  const [container] = await pods.containersOf('first-press-1');
  expect(container?.labels['io.kubernetes.pod.uid']).toBe(stringAt(mirror, 'metadata', 'annotations', MIRROR));
});

test('a changed file replaces the pod: the former one ends before the new one starts', async () => {
  const before = await mirrorUid('first-press-1');
  await writeFile(manifest('first.yaml'), podText('first', '2'));
  await vi.waitFor(async () => {
    expect(await readFile(notes('first'), 'utf8')).toBe('start 1\nstop 1\nstart 2\n');
  }, PATIENCE);
  await vi.waitFor(async () => expect(await mirrorUid('first-press-1')).not.toBe(before), PATIENCE);
  await pods.untilRunning('first-press-1');
  await vi.waitFor(async () => expect(await containerIds('first-press-1')).toHaveLength(1), PATIENCE);
});

test('a broken file is reported with its line, keeps its pod, also over a restart, and does not disturb others', async () => {
  const before = await containerIds('first-press-1');
  await writeFile(manifest('first.yaml'), 'kind: Pod\nmetadata: {name: first\nspec:\n');
  await untilLogged('Cannot use a file of static pods', manifest('first.yaml'), '"line":');
  await writeFile(manifest('.hidden.yaml'), podText('hidden', '1'));
  await writeFile(manifest('copy.yaml.tmp'), podText('hidden', '1'));
  await writeFile(manifest('second.json'), podText('second', '1'));
  await pods.untilRunning('second-press-1');
  await cloud.killAgent();
  await cloud.startAgent();
  await writeFile(manifest('third.yaml'), podText('third', '1'));
  await pods.untilRunning('third-press-1');
  expect(await containerIds('first-press-1')).toEqual(before);
  await writeFile(manifest('first.yaml'), podText('first', '2'));
  expect(await pods.find('hidden-press-1')).toBeUndefined();
});

test('a pod that refers to a Secret, or whose file others can write to, is refused with the reason', async () => {
  const volumes = [{ name: 'notes', secret: { secretName: 'keys' } }];
  await writeFile(manifest('secret.yaml'), podText('secret', '1', { volumes }));
  await untilLogged('secret.yaml', 'a static pod cannot refer to the Secret');
  await writeFile(manifest('open.yaml'), podText('open', '1'));
  await chmod(manifest('open.yaml'), 0o666);
  await untilLogged('open.yaml', 'others can write to');
  await rm(manifest('secret.yaml'));
  await rm(manifest('open.yaml'));
  expect(await containerIds('secret-press-1')).toEqual([]);
});

test('a mirror that a user deletes comes back, and the pod runs on', async () => {
  const before = { containers: await containerIds('first-press-1'), mirror: await mirrorUid('first-press-1') };
  const kubectl = await debianKubectl(signal);
  await cloud.run([kubectl, '--kubeconfig', cloud.kubeconfig, 'delete', 'pod', 'first-press-1', '--timeout=60s']);
  await vi.waitFor(async () => {
    expect(await mirrorUid('first-press-1')).not.toMatch(new RegExp(`^(${before.mirror})?$`));
  }, PATIENCE);
  await pods.untilRunning('first-press-1');
  expect(await containerIds('first-press-1')).toEqual(before.containers);
  expect(await readFile(notes('first'), 'utf8')).toBe('start 1\nstop 1\nstart 2\n');
});

test('a killed agent adopts static pods, and replaces the one whose file changed during that', async () => {
  const before = await containerIds('first-press-1');
  await cloud.killAgent();
  await writeFile(manifest('second.json'), podText('second', '2'));
  await cloud.startAgent();
  await vi.waitFor(async () => {
    expect(await readFile(notes('second'), 'utf8')).toBe('start 1\nstop 1\nstart 2\n');
  }, PATIENCE);
  await pods.untilRunning('second-press-1');
  expect(await containerIds('first-press-1')).toEqual(before);
});

test('a file that is moved out ends its pod and the mirror, and starts it again when it is back', async () => {
  await rename(manifest('first.yaml'), notes('kept'));
  await pods.untilGone('first-press-1');
  await vi.waitFor(async () => expect(await containerIds('first-press-1')).toEqual([]), PATIENCE);
  await rename(notes('kept'), manifest('first.yaml'));
  await pods.untilRunning('first-press-1');
  expect(await readFile(notes('first'), 'utf8')).toBe('start 1\nstop 1\nstart 2\nstop 2\nstart 2\n');
});

test('a pod that is back before it has ended starts again', async () => {
  const text = podText('slow', '1').replace('exit 0', 'sleep 3; exit 0');
  await writeFile(manifest('slow.yaml'), text);
  await pods.untilRunning('slow-press-1');
  await rm(manifest('slow.yaml'));
  await vi.waitFor(async () => expect(await readFile(notes('slow'), 'utf8')).toBe('start 1\nstop 1\n'), PATIENCE);
  await writeFile(manifest('slow.yaml'), text);
  await vi.waitFor(async () => {
    expect(await readFile(notes('slow'), 'utf8')).toBe('start 1\nstop 1\nstart 1\n');
  }, PATIENCE);
  await pods.untilRunning('slow-press-1');
  await vi.waitFor(async () => expect(await containerIds('slow-press-1')).toHaveLength(1), PATIENCE);
});

test('a node that knows nothing of its cloud runs static pods, and shows them when the cloud is there', async () => {
  await cloud.stopCloud();
  await cloud.killAgent();
  const database = join(cloud.nodeRoot, 'var/lib/kubeedge/edgecore.db');
  for (const file of [database, `${database}-wal`, `${database}-shm`]) await rm(file, { force: true });
  await writeFile(manifest('offline.yaml'), podText('offline', '1', { hostNetwork: true }));
  await cloud.startAgent();
  await vi.waitFor(async () => expect(await readFile(notes('offline'), 'utf8')).toBe('start 1\n'), PATIENCE);
  await cloud.startCloud();
  await untilNodeReady(cloud);
  await pods.untilRunning('offline-press-1');
  expect(await readFile(notes('offline'), 'utf8')).toBe('start 1\n');
});
