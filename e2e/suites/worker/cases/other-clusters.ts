import { readFile, writeFile } from 'node:fs/promises';
import { KINDS } from '@fenestra/kube-api';
import { expect, test } from 'vitest';
import { unlimited } from '../../../support/cloud/patience.ts';
import { ask, succeeded } from '../../../support/lifecycle/answer.ts';
import { pathOn } from '../../../support/machines/keadm-machine.ts';
import { join, reset } from '../../../support/worker/administrator.ts';
import { kubeletProcess, leftOfWorker, nodeObject } from '../../../support/worker/machine-state.ts';
import { openSwitchingRelay } from '../site/switching-relay.ts';
import { portOf } from '../../../support/worker/site/worker-cluster.ts';
import type { WorkerSite } from '../../../support/worker/site/worker-site.ts';
import { startSmallCluster } from '../../../support/worker/small-cluster/small-cluster.ts';

/** No one listens there. */
const SILENT = '127.0.0.1:1';

/** A worker whose own cluster does not answer any more, and whom only the clusters' CAs can tell from its namesakes. */
export function otherClusters(parts: () => WorkerSite): void {
  test('a node of the same name in another cluster is left alone while its own does not answer', async () => {
    const site = parts();
    const { machine } = site;
    succeeded(await join(site));
    await silenceOwnCluster(site);
    const other = await startSmallCluster(unlimited());
    const relay = await openSwitchingRelay(site.sparePort, portOf(other.endpoint), portOf(other.endpoint));
    try {
      const name = machine.node.name;
      await other.api.create(KINDS.node, { apiVersion: 'v1', kind: 'Node', metadata: { name } }, unlimited());
      const file = pathOn(machine, machine.paths.ownFolder, 'other.kubeconfig');
      const kubeconfig = await readFile(other.kubeconfig, 'utf8');
      const reachable = kubeconfig.replaceAll(other.endpoint, `127.0.0.1:${site.sparePort}`);
      await writeFile(machine.node.hostPath(file), reachable, { mode: 0o600 });
      const answer = await ask(machine, ['kube', 'reset', '--force', '--kubeconfig', file]);
      expect(answer.error, answer.said).toMatchObject({ code: 'NODE_CONFLICT' });
      expect(await other.api.get(KINDS.node, { name }, unlimited())).not.toHaveProperty('spec.unschedulable', true);
      expect(await kubeletProcess(site)).not.toBe(0);
    } finally {
      await relay.close();
      await other.stop();
    }
  });

  test('the kubeconfig of the same cluster is known by its CA, and the reset is done', async () => {
    const answer = await reset(parts());
    expect(answer, answer.said).toMatchObject({ exitCode: 0, outcome: 'applied' });
    expect(await nodeObject(parts())).toBeUndefined();
    expect(await leftOfWorker(parts())).toEqual([]);
  });
}

/** For the worker itself, and for it alone. */
async function silenceOwnCluster({ cluster, machine, paths }: WorkerSite): Promise<void> {
  const path = machine.node.hostPath(paths.kubeconfig);
  await writeFile(path, (await readFile(path, 'utf8')).replaceAll(cluster.endpoint, SILENT));
}
