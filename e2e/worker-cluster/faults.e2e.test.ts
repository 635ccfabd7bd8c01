import { afterAll, beforeAll, describe, vi } from 'vitest';
import { AUTO_APPROVAL, autoApproval } from '../beds/kubernetes/kubeadm-objects.ts';
import { type JoinableCluster, startJoinableCluster } from '../beds/kubernetes/kubeadm-cluster.ts';
import { unlimited } from '../cloud/patience.ts';
import { patientRefusals, refusedJoins } from '../worker/cases/refused-joins.ts';
import { startLinuxSite } from '../worker/site/linux-site.ts';
import { REAL_KUBELETS } from '../worker/site/supplies.ts';
import type { WorkerSite } from '../worker/site/worker-site.ts';

describe('joins that must not come to anything, on Linux with a real Kubernetes', () => {
  let cluster: JoinableCluster;
  let site: WorkerSite;

  beforeAll(async () => {
    cluster = await startJoinableCluster(unlimited());
    site = await startLinuxSite(cluster, REAL_KUBELETS);
  });
  afterAll(async () => site.stop());

  const refusalParts = () => ({
    site,
    hands: {
      unheard: async <T>(work: () => Promise<T>) => withoutApproval(cluster, work),
      denied: async <T>(work: () => Promise<T>) =>
        withoutApproval(cluster, async () => (await Promise.all([work(), denyNext(cluster)]))[0]),
    },
  });
  refusedJoins(refusalParts);
  patientRefusals(refusalParts);
});

/** What approves nodes by itself is away while the work goes on. */
async function withoutApproval<T>(cluster: JoinableCluster, work: () => Promise<T>): Promise<T> {
  await cluster.ask('delete', 'clusterrolebinding', AUTO_APPROVAL);
  try {
    return await work();
  } finally {
    await cluster.apply([autoApproval()]);
  }
}

/** As an administrator who looks for requests and likes none. */
async function denyNext(cluster: JoinableCluster): Promise<void> {
  const pending = async (): Promise<string> => {
    const lines = (await cluster.ask('get', 'csr', '--no-headers')).split('\n');
    const found = lines.find((line) => line.endsWith('Pending'))?.split(' ')[0];
    if (found === undefined) throw new Error('There is no request to deny');
    return found;
  };
  const name = await vi.waitFor(pending, { timeout: 60_000, interval: 200 });
  await cluster.ask('certificate', 'deny', name);
}
