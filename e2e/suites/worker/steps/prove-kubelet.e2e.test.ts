import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KINDS, type JsonObject } from '@fenestra/kube-api';
import { proveKubelet } from '@fenestra/steps';
import { freePort } from '@fenestra/platform/testing/free-port';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openStepBed, type StepBed } from '../../../support/worker/steps/step-bed.ts';

const { signal } = new AbortController();
const SERVICE = 'kubelet';
const NODE = 'worker-1';
const NO_NETWORK =
  'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:cni plugin not initialized';
const at = (name: string): string => join(import.meta.dirname, name);
let bed: StepBed;
let step: ReturnType<typeof proveKubelet>;

beforeAll(async () => {
  bed = await openStepBed([process.execPath, at('supervisor-main.ts')]);
  const kubeconfig = join(bed.folder, 'kubelet.conf');
  await writeFile(kubeconfig, bed.adminKubeconfig, { mode: 0o600 });
  const healthz = { address: '127.0.0.1', port: await freePort() };
  const goal = { wants: 'ready', version: null, limitSeconds: 20, settleSeconds: 0 } as const;
  const logFile = join(bed.folder, 'kubelet.log');
  step = proveKubelet({ service: SERVICE, node: NODE, kubeconfig, healthz, logFile, ...goal });
});
afterAll(async () => bed.close());
beforeEach(() => void (bed.said.length = 0));
afterEach(async () => {
  await bed.ports.services.remove(SERVICE, signal);
  await bed.admin.delete(KINDS.node, { name: NODE }, {}, signal).catch(() => undefined);
  await bed.admin.delete(KINDS.lease, { namespace: 'kube-node-lease', name: NODE }, {}, signal).catch(() => undefined);
});

async function startKubelet(behaviour: 'serve' | 'crash'): Promise<void> {
  await bed.ports.services.install({
    name: SERVICE,
    displayName: 'Kubelet',
    description: 'A stand-in',
    executable: process.execPath,
    args: [at('stand-in-kubelet-main.ts'), behaviour, String(step.healthz?.port)],
    startType: 'manual',
    dependencies: [],
    recovery: { restartDelaysSeconds: [0.1], resetAfterSeconds: 3600 },
    writableFolders: [],
  });
  await bed.ports.services.start(SERVICE, signal);
}

/** Does in the cluster what a kubelet does there. */
async function register(ready: JsonObject, renewTime = new Date()): Promise<void> {
  await bed.admin.create(KINDS.node, { metadata: { name: NODE } }, signal);
  const status = { conditions: [{ type: 'Ready', ...ready }], nodeInfo: { kubeletVersion: 'v1.33.1' } };
  await bed.admin.patch(KINDS.node, { name: NODE }, { type: 'merge', subresource: 'status', body: { status } }, signal);
  const metadata = { name: NODE, namespace: 'kube-node-lease' };
  const spec = { holderIdentity: NODE, leaseDurationSeconds: 40, renewTime: renewTime.toISOString() };
  await bed.admin.create(KINDS.lease, { metadata, spec }, signal);
}

const texts = (): readonly string[] => bed.said.map(({ text }) => text);

test('a kubelet is proved once its node is registered and ready, and says what it waits for until then', async () => {
  await startKubelet('serve');
  const proved = bed.apply(step);
  await expect.poll(texts).toContain(`waiting for the node "${NODE}" to be registered`);
  await register({ status: 'True', reason: 'KubeletReady' });
  await proved;
  expect(bed.said.filter(({ lasting }) => lasting)).toEqual([]);
});

test('a node that waits for its network plugin is registered, with a word that lasts', async () => {
  await startKubelet('serve');
  const proved = bed.apply({ ...step, wants: 'registered' });
  await expect.poll(texts).toContain(`waiting for the node "${NODE}" to be registered`);
  await register({ status: 'False', reason: 'KubeletNotReady', message: NO_NETWORK });
  await proved;
  expect(bed.said.filter(({ lasting }) => lasting)).toEqual([
    { text: expect.stringContaining('gets ready once a network plugin is installed'), lasting: true },
  ]);
});

test('trap 14: a ready node of an earlier life does not prove a kubelet', async () => {
  await register({ status: 'True' }, new Date(Date.now() - 60_000));
  await startKubelet('serve');
  await expect(bed.apply({ ...step, limitSeconds: 0.3 })).rejects.toMatchObject({
    code: 'KUBELET_UNHEALTHY',
    message: expect.stringMatching(/within 0.3 s: waiting for the node "worker-1" to report to the cluster$/),
  });
});

test('a kubelet that crashes again and again is found out at once, with its last words', async () => {
  await startKubelet('crash');
  await expect(bed.apply(step)).rejects.toMatchObject({
    code: 'SERVICE_FAILED',
    message: expect.stringMatching(
      /its process ended and was started again|its service is failed|its service is stopped/,
    ),
    details: { log: expect.stringContaining('failed to run Kubelet: misconfiguration') },
  });
});

test('a kubelet without its kubeconfig is waited for, and named when time is up', async () => {
  await startKubelet('serve');
  const kubeconfig = join(bed.folder, 'absent.conf');
  await expect(bed.apply({ ...step, kubeconfig, limitSeconds: 0.3 })).rejects.toMatchObject({
    code: 'KUBELET_UNHEALTHY',
    message: expect.stringContaining('absent.conf'),
  });
});
