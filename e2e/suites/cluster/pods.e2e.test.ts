/** The workloads of a real Kubernetes run on an edge node, and drain and deletion of the node end them. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PodSandboxState } from '@fenestra/cri/messages';
import { KINDS, type JsonObject, type KubeObject, stringAt } from '@fenestra/kube-api';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type KubernetesBed, startKubernetes } from '../../support/beds/kubernetes/kubernetes-bed.ts';
import { PATIENCE, unlimited } from '../../support/cloud/patience.ts';
import { POD_NODE, type PodCloud, startPodCloud, untilNodeReady } from '../../support/cloud/pod-cloud.ts';
import { scriptContainer, SLEEP, type TestPods, testPods } from '../../support/cloud/test-pods.ts';

describe('pods of a real Kubernetes on an edge node', () => {
  let kubernetes: KubernetesBed;
  let cloud: PodCloud;
  let pods: TestPods;

  beforeAll(async () => {
    kubernetes = await startKubernetes(unlimited());
    cloud = await startPodCloud(unlimited(), { cluster: kubernetes });
    pods = testPods(cloud);
  });
  afterAll(async () => {
    await cloud?.stop();
    await kubernetes?.stop();
  });

  async function kubectl(...args: readonly string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await kubernetes.kubectl(args);
    if (exitCode !== 0) throw new Error(`kubectl ${args.join(' ')} ended with ${exitCode}: ${stdout}${stderr}`);
    return stdout.trim();
  }

  async function apply(manifest: JsonObject): Promise<void> {
    const file = join(cloud.runtime.folder, 'manifest.json');
    await writeFile(file, JSON.stringify(manifest));
    await kubectl('apply', '--filename', file);
  }

  async function podsOf(app: string): Promise<readonly KubeObject[]> {
    return cloud.api.list(KINDS.pod, { namespace: 'default', labelSelector: `app=${app}` }, unlimited());
  }

  /** Which of these pods still run something. */
  async function runningOf(uids: readonly (string | undefined)[]): Promise<readonly string[]> {
    const filter = { labelSelector: { app: 'web' }, state: { state: PodSandboxState.SANDBOX_READY } };
    const sandboxes = await cloud.cri.listSandboxes(filter, unlimited());
    return sandboxes.flatMap(({ metadata }) => (uids.includes(metadata?.uid) ? [metadata?.name ?? ''] : []));
  }

  test('a Deployment is scheduled, scaled, updated and rolled back', async () => {
    await apply(workload('Deployment', 'web', `echo first; ${SLEEP}`, { replicas: 2 }));
    await kubectl('rollout', 'status', 'deployment/web', '--timeout=90s');
    await kubectl('scale', 'deployment/web', '--replicas=3');
    await kubectl('rollout', 'status', 'deployment/web', '--timeout=90s');
    expect(await podsOf('web')).toHaveLength(3);
    await apply(workload('Deployment', 'web', `echo second; ${SLEEP}`, { replicas: 2 }));
    await kubectl('rollout', 'status', 'deployment/web', '--timeout=90s');
    await kubectl('rollout', 'undo', 'deployment/web');
    await kubectl('rollout', 'status', 'deployment/web', '--timeout=90s');
    await vi.waitFor(async () => expect(await podsOf('web')).toHaveLength(2), PATIENCE);
    for (const { metadata } of await podsOf('web')) expect(await pods.output(metadata.name)).toBe('first');
  });

  test('the pods have the token and the CA that Kubernetes mounts into them', async () => {
    const [pod] = await podsOf('web');
    const folder = '/var/run/secrets/kubernetes.io/serviceaccount';
    const name = pod?.metadata.name ?? '';
    expect(await pods.exec(name, `cat ${folder}/namespace`)).toBe('default');
    expect(await pods.exec(name, `cut -c1-3 ${folder}/token`)).toContain('eyJ');
    expect(await pods.exec(name, `cat ${folder}/ca.crt`)).toContain('BEGIN CERTIFICATE');
  });

  test('a DaemonSet runs one pod on the node', async () => {
    await apply(workload('DaemonSet', 'agent', SLEEP));
    await kubectl('rollout', 'status', 'daemonset/agent', '--timeout=90s');
    expect(await podsOf('agent')).toHaveLength(1);
  });

  test('a Job runs its pods until enough of them have succeeded', async () => {
    await apply(workload('Job', 'sum', 'echo done', { completions: 3, parallelism: 2 }, { restartPolicy: 'Never' }));
    await kubectl('wait', '--for=condition=complete', 'job/sum', '--timeout=90s');
    expect((await podsOf('sum')).map((pod) => stringAt(pod, 'status', 'phase'))).toEqual([
      'Succeeded',
      'Succeeded',
      'Succeeded',
    ]);
  });

  test('a Job whose pod fails has it replaced, up to its limit', async () => {
    await apply(workload('Job', 'failing', 'exit 3', { backoffLimit: 1 }, { restartPolicy: 'Never' }));
    await kubectl('wait', '--for=condition=failed', 'job/failing', '--timeout=120s');
    for (const pod of await podsOf('failing')) expect(stringAt(pod, 'status', 'phase')).toBe('Failed');
  });

  test('"kubectl drain" returns when the pods have ended, and "uncordon" brings them back', async () => {
    const before = (await podsOf('web')).map(({ metadata }) => metadata.uid);
    await kubectl('drain', POD_NODE, '--ignore-daemonsets', '--delete-emptydir-data', '--timeout=90s');
    expect(await runningOf(before)).toEqual([]);
    expect(await podsOf('agent')).toHaveLength(1);
    await kubectl('uncordon', POD_NODE);
    await kubectl('rollout', 'status', 'deployment/web', '--timeout=90s');
  });

  test('a deleted node registers again at once, its pods run on, and new ones come to it', async () => {
    const uids = (await podsOf('web')).map(({ metadata }) => metadata.uid);
    const before = await runningOf(uids);
    expect(before).toHaveLength(2);
    const { metadata } = await cloud.api.get(KINDS.node, { name: POD_NODE }, unlimited());
    await kubectl('delete', 'node', POD_NODE);
    await vi.waitFor(async () => {
      const node = await cloud.api.find(KINDS.node, { name: POD_NODE }, unlimited());
      expect(node?.metadata.uid).toEqual(expect.not.stringMatching(metadata.uid ?? ''));
    }, PATIENCE);
    await untilNodeReady(cloud);
    await kubectl('scale', 'deployment/web', '--replicas=3');
    await kubectl('rollout', 'status', 'deployment/web', '--timeout=120s');
    expect(await runningOf(uids)).toEqual(before);
  });
});

/** A workload whose pods have one container, `main`, that runs a shell script. */
function workload(kind: string, name: string, script: string, spec: JsonObject = {}, pod: JsonObject = {}): JsonObject {
  const labels = { app: name };
  const selector = kind === 'Job' ? {} : { selector: { matchLabels: labels } };
  const container = scriptContainer('main', script, { imagePullPolicy: 'IfNotPresent' });
  const template = {
    metadata: { labels },
    spec: { terminationGracePeriodSeconds: 1, containers: [container], ...pod },
  };
  const apiVersion = kind === 'Job' ? 'batch/v1' : 'apps/v1';
  return { apiVersion, kind, metadata: { name, labels }, spec: { ...selector, ...spec, template } };
}
