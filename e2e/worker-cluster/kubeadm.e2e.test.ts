import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type JoinableCluster, startJoinableCluster } from '../beds/kubernetes/kubeadm-cluster.ts';
import { PATIENCE, unlimited } from '../cloud/patience.ts';
import { reset } from '../worker/administrator.ts';
import { kubeletProcess, nodeObject, standingOf } from '../worker/machine-state.ts';
import { startLinuxSite } from '../worker/site/linux-site.ts';
import { REAL_KUBELETS } from '../worker/site/supplies.ts';
import type { WorkerSite } from '../worker/site/worker-site.ts';
import { joinByKubeadm, PACKAGED } from './kubeadm-machine.ts';

describe('a worker that kubeadm itself has made', () => {
  let cluster: JoinableCluster;
  let site: WorkerSite;

  beforeAll(async () => {
    cluster = await startJoinableCluster(unlimited());
    site = await startLinuxSite(cluster, REAL_KUBELETS);
  });
  afterAll(async () => site.stop());

  test('kubeadm makes one of this machine: the cluster is what kubeadm expects', async () => {
    await joinByKubeadm(site.machine, cluster);
    await site.setNetwork(true);
    await vi.waitFor(
      async () => expect(await standingOf(site)).toEqual({ ready: 'True', version: site.releases.first }),
      PATIENCE,
    );
  });

  test('a reset takes it out of the cluster, and leaves alone what the packages brought', async () => {
    expect(await reset(site)).toMatchObject({ exitCode: 0 });
    const { node } = site.machine;
    expect(await nodeObject(site)).toBeUndefined();
    expect(await kubeletProcess(site)).toBe(0);
    expect(existsSync(node.hostPath(site.paths.kubeconfig))).toBe(false);
    expect(Object.values(PACKAGED).filter((file) => !existsSync(node.hostPath(file)))).toEqual([]);
  });
});
