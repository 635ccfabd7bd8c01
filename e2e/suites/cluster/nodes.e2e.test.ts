import { KINDS, stringAt } from '@fenestra/kube-api';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type EdgeNode, prepareNode } from '../../support/cloud/edge-node.ts';
import { configMap, podOn } from '../../support/cloud/manifests.ts';
import { PATIENCE, unlimited, untilConnected } from '../../support/cloud/patience.ts';
import { offlineCases } from '../../support/cloud/scenarios/offline.ts';
import { wholeLifeCases } from '../../support/cloud/scenarios/whole-life.ts';
import { MACHINES } from '../../support/machines/keadm-machine.ts';
import { type ClusterCloud, startClusterCloud } from './cluster-cloud.ts';

const AWAY_SECONDS = 60;
let cloud: ClusterCloud;

beforeAll(async () => {
  cloud = await startClusterCloud();
});
afterAll(async () => cloud.stop());

describe.each(MACHINES)('a cloud for a real Kubernetes and a node on $title', ({ start }) => {
  let node: EdgeNode;

  beforeAll(async () => {
    const machine = await start(unlimited());
    node = await prepareNode(machine.node.name, machine, cloud);
  });
  afterAll(async () => node.stop());

  wholeLifeCases(() => ({ cloud, node }));

  test('kubectl shows the node with its version and why it is not ready', async () => {
    const { stdout } = await cloud.kubernetes.kubectl(['get', 'node', node.name, '--no-headers']);
    expect(stdout).toMatch(new RegExp(`^${node.name}\\s+NotReady\\s.*v1\\.\\d+\\.\\d+-kubeedge-`));
    expect((await cloud.kubernetes.kubectl(['describe', 'node', node.name])).stdout).toContain(
      'container runtime is down',
    );
  });

  test('the API server is killed and comes back: the same cloudcore goes on where it was', async () => {
    const name = `${node.name}-after-crash`;
    await cloud.apply([configMap(name, 'before'), podOn(node.name, name, { configMaps: [name] })]);
    const text = async (): Promise<string> => stringAt(await node.object(KINDS.configMap, name), 'data', 'text');
    await vi.waitFor(async () => expect(await text()).toBe('before'), PATIENCE);
    const before = await cloudProcess(cloud);
    await cloud.kubernetes.restartApiServer();
    await cloud.apply([configMap(name, 'after')]);
    await vi.waitFor(async () => expect(await text()).toBe('after'), PATIENCE);
    await untilConnected(node);
    expect(await cloudProcess(cloud)).toBe(before);
  });

  offlineCases(() => ({ cloud, node }), AWAY_SECONDS);
});

async function cloudProcess({ keadm, kubeconfig }: ClusterCloud): Promise<string> {
  return /cloudcore +running, process \d+/.exec(await keadm('status', '--kubeconfig', kubeconfig))?.[0] ?? '';
}
