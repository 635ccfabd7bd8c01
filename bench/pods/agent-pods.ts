import { KINDS } from '@fenestra/kube-api';
import { ContainerState } from '@fenestra/cri/messages';
import { POD_IMAGE } from '../../e2e/support/beds/test-images.ts';
import { eventually } from '../../e2e/support/cloud/eventually.ts';
import { POD_NODE, type PodCloud } from '../../e2e/support/cloud/pod-cloud.ts';
import { SCRIPT } from './raw-pods.ts';
import type { StartTimes } from './start-times.ts';

const NAMESPACE = 'default';
const POLL = { timeout: 15 * 60_000, interval: 500 };
const NANOSECONDS = 1_000_000n;
const { signal } = new AbortController();

/**
 * Starts so many pods with the agent, by creating them in the cloud all at once. When a container ran is what the runtime
 * says, which is read afterwards: nothing asks it during the measurement but the agent.
 */
export async function startAgentPods(cloud: PodCloud, count: number, quietMs: number): Promise<StartTimes> {
  const names = Array.from({ length: count }, (_, index) => `bench-${index}`);
  const begun = Date.now();
  await Promise.all(names.map(async (name) => createPod(cloud, name)));
  await new Promise((resolve) => setTimeout(resolve, quietMs));
  const started = await eventually(async () => {
    const ids = await runningIds(cloud);
    if (ids.length < count) throw new Error(`${ids.length} of ${count} pods run`);
    return Promise.all(ids.map(async (id) => startedAt(cloud, id)));
  }, POLL);
  return { each: started.map((time) => time - begun) };
}

async function createPod({ api }: PodCloud, name: string, script = SCRIPT): Promise<void> {
  const containers = [{ name: 'main', image: POD_IMAGE, command: ['/bin/sh', '-c', script] }];
  const spec = { nodeName: POD_NODE, terminationGracePeriodSeconds: 0, containers };
  await api.create(
    KINDS.pod,
    { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: NAMESPACE }, spec },
    signal,
  );
}

async function runningIds({ cri }: PodCloud): Promise<readonly string[]> {
  const state = { state: ContainerState.CONTAINER_RUNNING };
  return (await cri.listContainers({ state }, signal)).map(({ id }) => id);
}

async function startedAt({ cri }: PodCloud, id: string): Promise<number> {
  return Number(((await cri.containerStatus(id, signal))?.startedAt ?? 0n) / NANOSECONDS);
}

/** How long it takes from the end of a container until the next instance runs, for each of so many pods. */
export async function restartTimes(cloud: PodCloud, count: number): Promise<readonly number[]> {
  const { cri } = cloud;
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    await createPod(cloud, `restart-${index}`, 'sleep 3; exit 1');
    times.push(
      await eventually(async () => {
        const found = await cri.listContainers(
          { labelSelector: { 'io.kubernetes.pod.name': `restart-${index}` } },
          signal,
        );
        const statuses = await Promise.all(found.map(async ({ id }) => cri.containerStatus(id, signal)));
        const [first, second] = [0, 1].map((attempt) => statuses.find((each) => each?.metadata?.attempt === attempt));
        if (first === undefined || second === undefined || second.startedAt === 0n) throw new Error('No restart yet');
        return Number((second.startedAt - first.finishedAt) / NANOSECONDS);
      }, POLL),
    );
    await removeAgentPods(cloud);
  }
  return times;
}

/** Deletes all pods, and returns when nothing of them is left in the runtime. */
export async function removeAgentPods({ api, cri }: PodCloud): Promise<void> {
  const pods = await api.list(KINDS.pod, { namespace: NAMESPACE }, signal);
  for (const { metadata } of pods) {
    await api.delete(KINDS.pod, { namespace: NAMESPACE, name: metadata.name }, { gracePeriodSeconds: 0 }, signal);
  }
  await eventually(async () => {
    const left = await cri.listSandboxes({}, signal);
    if (left.length > 0) throw new Error(`${left.length} sandboxes are left`);
  }, POLL);
}
