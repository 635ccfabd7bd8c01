import { setTimeout as sleep } from 'node:timers/promises';
import { KINDS, type JsonObject, type KubeApi } from '@fenestra/kube-api';
import { atOnce } from '../../e2e/support/restart/cluster-work.ts';
import type { CloudProcess } from '../../e2e/support/restart/cloud-process.ts';

const NAMESPACE = 'default';
const CONFIG_MAPS_PER_POD = 50;
const TEXT = 'x'.repeat(1_000);
const LIMIT_MS = 60_000;

/** Gives a node so many ConfigMaps of a kilobyte, by way of pods that use them, and waits until it has them all. */
export async function sendObjects(
  api: KubeApi,
  cloud: Pick<CloudProcess, 'metric'>,
  node: string,
  count: number,
): Promise<void> {
  const before = await cloud.metric('fenestra_hub_acknowledged_total');
  const names = Array.from({ length: count }, (_, index) => `object-${index}`);
  const { signal } = new AbortController();
  await atOnce(names, async (name) => {
    await api.create(KINDS.configMap, { metadata: { name, namespace: NAMESPACE }, data: { text: TEXT } }, signal);
  });
  for (let first = 0; first < count; first += CONFIG_MAPS_PER_POD) {
    await api.create(KINDS.pod, podUsing(names.slice(first, first + CONFIG_MAPS_PER_POD), node), signal);
  }
  const deadline = performance.now() + LIMIT_MS;
  while ((await cloud.metric('fenestra_hub_acknowledged_total')) < before + count) {
    if (performance.now() > deadline) throw new Error('The objects did not reach the node in time');
    await sleep(100);
  }
}

function podUsing(configMaps: readonly string[], nodeName: string): JsonObject {
  const [name = ''] = configMaps;
  const envFrom = configMaps.map((each) => ({ configMapRef: { name: each } }));
  const spec = { nodeName, containers: [{ name: 'main', image: 'none', envFrom }] };
  return { metadata: { name, namespace: NAMESPACE }, spec };
}
