import { describe, vi } from 'vitest';
import { AUTO_APPROVAL, autoApproval } from '../../support/beds/kubernetes/kubeadm-objects.ts';
import type { JoinableCluster } from '../../support/beds/kubernetes/kubeadm-cluster.ts';
import { patientRefusals, refusedJoins } from '../../support/worker/cases/refused-joins.ts';
import { realLinuxCluster } from './real-cluster.ts';

describe('joins that must not come to anything, on Linux with a real Kubernetes', () => {
  const parts = realLinuxCluster();
  const refusalParts = () => {
    const { cluster, site } = parts();
    return {
      site,
      hands: {
        unheard: async <T>(work: () => Promise<T>) => withoutApproval(cluster, work),
        denied: async <T>(work: () => Promise<T>) =>
          withoutApproval(cluster, async () => (await Promise.all([work(), denyNext(cluster)]))[0]),
      },
    };
  };
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
