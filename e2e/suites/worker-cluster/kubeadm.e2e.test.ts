import { existsSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { PATIENCE } from '../../support/cloud/patience.ts';
import { reset } from '../../support/worker/administrator.ts';
import { kubeletProcess, nodeObject, standingOf } from '../../support/worker/machine-state.ts';
import { joinByKubeadm, PACKAGED } from './kubeadm-machine.ts';
import { realLinuxCluster } from './real-cluster.ts';

describe('a worker that kubeadm itself has made', () => {
  const parts = realLinuxCluster();

  test('kubeadm makes one of this machine: the cluster is what kubeadm expects', async () => {
    const { cluster, site } = parts();
    await joinByKubeadm(site.machine, cluster);
    await site.setNetwork(true);
    await vi.waitFor(
      async () => expect(await standingOf(site)).toEqual({ ready: 'True', version: site.releases.first }),
      PATIENCE,
    );
  });

  test('a reset takes it out of the cluster, and leaves alone what the packages brought', async () => {
    const { site } = parts();
    expect(await reset(site)).toMatchObject({ exitCode: 0 });
    const { node } = site.machine;
    expect(await nodeObject(site)).toBeUndefined();
    expect(await kubeletProcess(site)).toBe(0);
    expect(existsSync(node.hostPath(site.paths.kubeconfig))).toBe(false);
    expect(Object.values(PACKAGED).filter((file) => !existsSync(node.hostPath(file)))).toEqual([]);
  });
});
