/** containerd: what reset finds and removes */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StepContext } from '@fenestra/kernel';
import { linuxHost, posixAccessControl, posixFileStore, supervisedServices } from '@fenestra/platform-linux';
import { inspectRuntime, removePods as removePodsStep } from '@fenestra/steps';
import type { StepPorts } from '@fenestra/session';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type ContainerdBed,
  KUBERNETES_NAMESPACE,
  OTHERS_NAMESPACE,
  startContainerd,
} from '../../support/beds/containerd-bed.ts';
import { TEST_IMAGE } from '../../support/beds/test-images.ts';
import { type MadePod, makePod } from './pod-maker.ts';

const controller = new AbortController();
const { signal } = controller;
const KUBELET_PORT = 10_250;
const WEB = { namespace: 'shop', name: 'web', containers: ['server'], labelled: true };
const DATABASE = { namespace: 'shop', name: 'database', containers: ['store', 'exporter'], labelled: true };
const FOREIGN = { namespace: 'shop', name: 'foreign', containers: ['work'], labelled: false };

let bed: ContainerdBed;
let folder = '';
let foreign: MadePod;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fenestra-remove-pods-'));
  bed = await startContainerd(signal);
  foreign = await makePod(bed.endpoint, FOREIGN, signal);
  await bed.ctr(OTHERS_NAMESPACE, ['run', '--detach', TEST_IMAGE, 'lone']);
});

afterAll(async () => {
  await bed.stop();
  await rm(folder, { recursive: true, force: true });
});

/** What the step said; it throws what the step throws. */
async function removePods(): Promise<readonly string[]> {
  const said: string[] = [];
  const { handler } = removePodsStep;
  const step = removePodsStep({ endpoint: bed.endpoint, limitSeconds: 60 });
  const context: StepContext<StepPorts> = { ports: ports(), progress: () => {}, say: (text) => void said.push(text) };
  await handler.apply(step, await handler.prepare(step, context, signal), context, signal);
  return said;
}

function ports(): StepPorts {
  const services = supervisedServices({ stateFolder: join(folder, 'supervisor'), supervisorCommand: [] });
  return { host: linuxHost(), secrets: new Map(), files: posixFileStore(), access: posixAccessControl(), services };
}

/** The ids of what runs in one of containerd's namespaces. */
async function running(namespace: string): Promise<readonly string[]> {
  const rows = (await bed.ctr(namespace, ['tasks', 'list'])).split('\n').slice(1);
  return rows.filter((row) => row.includes('RUNNING')).map((row) => row.split(/\s+/)[0] ?? '');
}

const idsOf = ({ sandbox, containers }: MadePod): readonly string[] => [sandbox, ...containers];

test('a real containerd says who it is, and that its pods have no network', async () => {
  const report = await inspectRuntime(bed.endpoint, signal);
  expect(report).toMatchObject({ usable: true, version: expect.stringMatching(/^containerd 1\./) });
  expect(report.problem).toMatch(/has no network for pods: .*cni/);
});

test("the node's pods go, sandboxes and all; what someone else made runs on", async () => {
  const pods = [await makePod(bed.endpoint, WEB, signal), await makePod(bed.endpoint, DATABASE, signal)];
  const expected = [...pods, foreign].flatMap(idsOf).toSorted();
  expect((await running(KUBERNETES_NAMESPACE)).toSorted()).toEqual(expected);
  expect((await removePods()).toSorted()).toEqual([
    'removed the pod shop/database',
    'removed the pod shop/web',
    'stopping 2 pod(s), within 30 s',
  ]);
  expect((await running(KUBERNETES_NAMESPACE)).toSorted()).toEqual(idsOf(foreign).toSorted());
  const left = await bed.ctr(KUBERNETES_NAMESPACE, ['containers', 'list', '--quiet']);
  expect(left.trim().split('\n').toSorted()).toEqual(idsOf(foreign).toSorted());
  expect(await running(OTHERS_NAMESPACE)).toEqual(['lone']);
});

test('a second time there is nothing to do', async () => {
  expect(await removePods()).toEqual([]);
});

test('a pod that was made again, as one whose removal was cut off, goes too', async () => {
  await makePod(bed.endpoint, WEB, signal);
  expect(await removePods()).toEqual(['stopping 1 pod(s), within 30 s', 'removed the pod shop/web']);
});

test("where another kubelet listens, no one's pods are touched", async () => {
  const pod = await makePod(bed.endpoint, WEB, signal);
  const kubelet = createServer().listen(KUBELET_PORT, '127.0.0.1');
  await once(kubelet, 'listening');
  const said = await removePods();
  kubelet.close();
  expect(said).toEqual([expect.stringMatching(/^Left every pod at .* alone: something listens on port 10250/)]);
  expect(await running(KUBERNETES_NAMESPACE)).toEqual(expect.arrayContaining([...idsOf(pod)]));
});

test('a runtime that hangs does not hold the step for ever', async () => {
  bed.freeze();
  await expect(removePods()).rejects.toMatchObject({
    code: 'RUNTIME_UNUSABLE',
    message: expect.stringContaining('does not answer in time'),
  });
  expect(await inspectRuntime(bed.endpoint, AbortSignal.timeout(500))).toMatchObject({ usable: false });
});

test('a runtime that is gone left its containers running, and the step says so', async () => {
  await bed.kill();
  expect(await inspectRuntime(bed.endpoint, signal)).toMatchObject({
    usable: false,
    problem: expect.stringContaining('nothing listens'),
  });
  const said = await removePods();
  expect(said[0]).toContain('Removed no pods');
  expect(said[1]).toContain('still run were not ended');
});

test('a CRI plugin that is switched off is recognised, and its remedy named', async () => {
  await bed.start({ cri: false });
  const report = await inspectRuntime(bed.endpoint, signal);
  expect(report).toMatchObject({ usable: false, problem: expect.stringContaining('CRI plugin is switched off') });
  expect(report.remedy).toContain('disabled_plugins');
  expect((await removePods())[0]).toContain('CRI plugin is switched off');
});

test('pods that outlived a crash of the runtime are found and removed after it', async () => {
  await bed.kill();
  await bed.start({ cri: true });
  expect(await removePods()).toEqual(['stopping 1 pod(s), within 30 s', 'removed the pod shop/web']);
  expect((await running(KUBERNETES_NAMESPACE)).toSorted()).toEqual(idsOf(foreign).toSorted());
  expect(await running(OTHERS_NAMESPACE)).toEqual(['lone']);
});
