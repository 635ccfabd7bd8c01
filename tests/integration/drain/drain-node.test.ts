import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { handlerOf, type Json, type Step } from '@fenestra/kernel';
import { KINDS, openKubeApi, valueAt, type JsonObject, type KubeApi } from '@fenestra/kube-api';
import { startKubelite, type Kubelite } from '@fenestra/kubelite';
import { openNodeCloud } from '@fenestra/lifecycle/cloud';
import { silentLogger } from '@fenestra/platform';
import { linuxHost, posixAccessControl, posixFileStore, supervisedServices } from '@fenestra/platform-linux';
import type { CloudPod, NodeCloud, StepPorts } from '@fenestra/session';
import { STEP_HANDLERS } from '@fenestra/steps';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

const { signal } = new AbortController();
const NODE = 'edge-1';
let folder: string;
let kubeconfig: string;
let kubelite: Kubelite;
let admin: KubeApi;
let said: string[];
let evicted: string[];
let watchEvictions: (cloud: NodeCloud) => NodeCloud;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'drain-'));
  kubeconfig = join(folder, 'kubeconfig');
  kubelite = await startKubelite(
    { folder, address: '127.0.0.1', port: 0, log: silentLogger(), now: () => new Date() },
    signal,
  );
  await writeFile(kubeconfig, kubelite.adminKubeconfig, { mode: 0o600 });
  admin = await openKubeApi({ kubeconfig: kubelite.adminKubeconfig });
});
afterAll(async () => {
  admin.close();
  await kubelite.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  said = [];
  evicted = [];
  watchEvictions = (cloud) => ({
    ...cloud,
    async evict(pod, abort) {
      evicted.push(pod.name);
      return cloud.evict(pod, abort);
    },
  });
  await admin.create(KINDS.node, { metadata: { name: NODE } }, signal);
  await createPod('plain', {});
  const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'd', uid: 'u', controller: true };
  await createPod('of-a-daemon-set', { ownerReferences: [owner] });
  await createPod('mirror', { annotations: { 'kubernetes.io/config.mirror': 'x' } });
});

async function createPod(name: string, metadata: JsonObject): Promise<void> {
  const spec = { nodeName: NODE, containers: [{ name: 'c', image: 'i' }] };
  await admin.create(KINDS.pod, { metadata: { ...metadata, name, namespace: 'default' }, spec }, signal);
}

function ports(): StepPorts {
  const services = supervisedServices({ stateFolder: join(folder, 'supervisor'), supervisorCommand: [] });
  const system = { host: linuxHost(), files: posixFileStore(), access: posixAccessControl(), services };
  return { ...system, secrets: new Map(), openCloud: async (file) => watchEvictions(await openNodeCloud(file)) };
}

async function run(step: Step, direction: 'apply' | 'revert', before?: Json): Promise<Json> {
  const context = { ports: ports(), progress: () => {}, say: (text: string) => void said.push(text) };
  const handler = handlerOf(STEP_HANDLERS, step);
  const found = before ?? (await handler.prepare(step, context, signal));
  await handler[direction](step, found, context, signal);
  return found;
}

const drainStep = (more: { confirms: boolean; limitSeconds: number }): Step => ({
  kind: 'drain-node',
  kubeconfig,
  node: NODE,
  ...more,
});

const deletion = (): Step => ({ kind: 'delete-node', kubeconfig, node: NODE, pointOfNoReturn: true });

async function isCordoned(): Promise<boolean> {
  return valueAt(await admin.get(KINDS.node, { name: NODE }, signal), 'spec', 'unschedulable') === true;
}

async function endingPods(): Promise<readonly string[]> {
  const pods = await admin.list(KINDS.pod, {}, signal);
  return pods.filter(({ metadata }) => metadata.deletionTimestamp !== undefined).map(({ metadata }) => metadata.name);
}

test('a node that is not ready is drained without waiting for it, uncordoned during the rollback, and deleted with its pods', async () => {
  const step = drainStep({ confirms: false, limitSeconds: 10 });
  const before = await run(step, 'apply');
  expect({ cordoned: await isCordoned(), ending: await endingPods() }).toEqual({ cordoned: true, ending: ['plain'] });
  await run(step, 'revert', before);
  expect(await isCordoned()).toBe(false);
  await run(deletion(), 'apply');
  expect(await admin.find(KINDS.node, { name: NODE }, signal)).toBeUndefined();
  expect(await admin.list(KINDS.pod, {}, signal)).toEqual([]);
});

test('pods that do not end in time are named, and nothing is deleted', async () => {
  const step = drainStep({ confirms: true, limitSeconds: 0 });
  await expect(run(step, 'apply')).rejects.toMatchObject({
    code: 'TIMED_OUT',
    message: expect.stringContaining('default/plain'),
    hint: expect.stringContaining('--no-drain'),
  });
  await run(deletion(), 'apply');
});

test('a node that was cordoned before stays so, and a deletion may be repeated', async () => {
  await admin.patch(KINDS.node, { name: NODE }, { type: 'merge', body: { spec: { unschedulable: true } } }, signal);
  const step = drainStep({ confirms: false, limitSeconds: 10 });
  await run(step, 'revert', await run(step, 'apply'));
  expect(await isCordoned()).toBe(true);
  await run(deletion(), 'apply');
  await run(deletion(), 'apply');
});

test('a cloud that cannot be reached holds neither the rollback nor the deletion up, and both say what stays', async () => {
  const nowhere = join(folder, 'nowhere');
  await writeFile(nowhere, kubelite.adminKubeconfig.replaceAll(/https:\/\/[^\s"]+/g, 'https://127.0.0.1:1'), {
    mode: 0o600,
  });
  await run({ ...drainStep({ confirms: false, limitSeconds: 1 }), kubeconfig: nowhere }, 'revert', {
    schedulable: true,
  });
  await run({ ...deletion(), kubeconfig: nowhere }, 'apply');
  expect(said).toEqual([
    expect.stringContaining('kubectl uncordon edge-1'),
    expect.stringContaining('kubectl delete node edge-1'),
  ]);
  await run(deletion(), 'apply');
});

/** Ends the pods whose end was asked for, as the node does, until aborted. */
async function confirmEnds(done: AbortSignal, onEnd: (name: string) => Promise<void>): Promise<void> {
  while (!done.aborted) {
    for (const name of await endingPods()) {
      await admin.delete(KINDS.pod, { namespace: 'default', name }, { gracePeriodSeconds: 0 }, signal);
      await onEnd(name);
    }
    await sleep(50);
  }
}

async function drainWhile(onEnd: (name: string) => Promise<void>, limitSeconds = 20): Promise<void> {
  const done = new AbortController();
  const node = confirmEnds(done.signal, onEnd);
  await run(drainStep({ confirms: true, limitSeconds }), 'apply').finally(() => done.abort());
  await node;
}

test('pods that come to the cordoned node all the time are neither evicted nor waited for', async () => {
  let made = 0;
  await createPod('named', {});
  await drainWhile(async (name) => {
    // One of the same name, as a StatefulSet makes it, and one of a new name.
    await createPod(name, {});
    await createPod(`tolerant-${(made += 1)}`, {});
  });
  expect(evicted.toSorted()).toEqual(['named', 'plain']);
  expect(said.length).toBeLessThanOrEqual(1);
  await run(deletion(), 'apply');
});

test('an eviction that a disruption budget refuses is tried again, and only that one', async () => {
  let refusals = 1;
  const watch = watchEvictions;
  watchEvictions = (cloud) => {
    const watched = watch(cloud);
    const evict = async (pod: CloudPod, abort: AbortSignal): Promise<'accepted' | 'blocked'> => {
      if (pod.name !== 'held' || refusals-- <= 0) return watched.evict(pod, abort);
      evicted.push(pod.name);
      return 'blocked';
    };
    return { ...watched, evict };
  };
  await createPod('held', {});
  await drainWhile(async () => {});
  expect(evicted.toSorted()).toEqual(['held', 'held', 'plain']);
  expect(said).toEqual([expect.stringContaining('default/held (held by its disruption budget)')]);
  await run(deletion(), 'apply');
});

test('an eviction is of exactly the pod that was listed, not of one that took its name', async () => {
  const cloud = await openNodeCloud(kubeconfig);
  const listed = (await cloud.movablePods(NODE, signal)).map((pod) => ({ ...pod, uid: 'of-an-earlier-pod' }));
  for (const pod of listed) expect(await cloud.evict(pod, signal)).toBe('accepted');
  cloud.close();
  expect(await endingPods()).toEqual([]);
  await run(deletion(), 'apply');
});
