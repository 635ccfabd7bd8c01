import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { release } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { type JsonObject, type KubeApi, KINDS, openKubeApi, stringAt } from '@fenestra/kube-api';
import { OWN_VERSION } from '../../support/releases/versions.ts';
import { awaitNode, cloudHere, requireNoNode } from '../node-here.ts';
import type { Proof } from '../proof.ts';
import { keadmHere } from '../run-here.ts';

const KUBECONFIG = 'C:\\var\\lib\\kubeedge\\cloud\\admin.kubeconfig';
const AT = { namespace: 'default', name: 'proof' };
const NODE = 'proof';
const CONNECT_MS = 60_000;
/** Pulling the image takes most of it. */
const RUN_MS = 10 * 60_000;
/** By the number of the build: containers have to be of the same Windows as their host. */
const IMAGES: Readonly<Record<string, string>> = { 20348: 'ltsc2022', 26100: 'ltsc2025' };

/** A pod runs in Windows containers: it reads a ConfigMap and a Secret, and both of its users can. */
export const pods: Proof = {
  name: 'pods',
  async prove({ keadm }) {
    const env = { KEADM_TOKEN: await cloudHere(keadm) };
    await keadmHere(keadm, ['join', '--cloudcore-ip', '127.0.0.1', '--edgenode-name', NODE], env);
    await awaitNode(keadm, OWN_VERSION, CONNECT_MS);
    const api = await openKubeApi({ kubeconfig: await readFile(KUBECONFIG, 'utf8') });
    const { signal } = new AbortController();
    await api.create(KINDS.configMap, { ...objectOf('ConfigMap'), data: { text: 'from config' } }, signal);
    await api.create(KINDS.secret, { ...objectOf('Secret'), type: 'Opaque', stringData: { text: 'secret' } }, signal);
    await api.create(KINDS.pod, { ...objectOf('Pod'), spec: podSpec() }, signal);
    assert.equal(await untilPhase(api, ['Succeeded', 'Failed'], signal), 'Succeeded');
    await api.delete(KINDS.pod, AT, { gracePeriodSeconds: 0 }, signal);
    api.close();
    assert.equal((await keadmHere(keadm, ['reset', '--force'])).outcome, 'applied');
    await requireNoNode();
  },
};

function objectOf(kind: string): JsonObject & { readonly metadata: typeof AT } {
  return { apiVersion: 'v1', kind, metadata: AT };
}

function podSpec(): JsonObject {
  const image = `mcr.microsoft.com/windows/nanoserver:${IMAGES[release().split('.')[2] ?? ''] ?? ''}`;
  const command = [
    'cmd',
    '/c',
    'findstr config C:\\config\\text && findstr secret C:\\secret\\text && echo x > C:\\data\\%USERNAME%',
  ];
  const volumes = [
    { name: 'config', configMap: { name: AT.name } },
    { name: 'secret', secret: { secretName: AT.name } },
    { name: 'data', emptyDir: {} },
  ];
  const volumeMounts = volumes.map(({ name }) => ({ name, mountPath: `C:\\${name}` }));
  const containers = ['ContainerUser', 'ContainerAdministrator'].map((runAsUserName) => ({
    name: runAsUserName.toLowerCase(),
    image,
    command,
    volumeMounts,
    securityContext: { windowsOptions: { runAsUserName } },
    resources: { limits: { cpu: '1', memory: '256Mi' } },
  }));
  return { nodeName: NODE, restartPolicy: 'Never', os: { name: 'windows' }, volumes, containers };
}

async function untilPhase(api: KubeApi, phases: readonly string[], signal: AbortSignal): Promise<string> {
  const end = Date.now() + RUN_MS;
  for (;;) {
    const pod = await api.get(KINDS.pod, AT, signal);
    const phase = stringAt(pod, 'status', 'phase');
    if (phases.includes(phase)) return phase;
    if (Date.now() > end) throw new Error(`The pod has the status ${JSON.stringify(pod['status'])}`);
    await delay(1_000);
  }
}
