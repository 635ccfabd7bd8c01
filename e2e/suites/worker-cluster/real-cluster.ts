import { afterAll, beforeAll } from 'vitest';
import { type JoinableCluster, startJoinableCluster } from '../../support/beds/kubernetes/kubeadm-cluster.ts';
import { unlimited } from '../../support/cloud/patience.ts';
import { startLinuxSite } from '../../support/worker/site/linux-site.ts';
import { REAL_KUBELETS } from '../../support/worker/site/supplies.ts';
import type { WorkerSite } from '../../support/worker/site/worker-site.ts';

/** A real Kubernetes, and a machine that can be its worker. */
export interface RealCluster {
  readonly cluster: JoinableCluster;
  readonly site: WorkerSite;
}

/** Starts both before the tests of a suite and stops them afterwards; they are there once the tests run. */
export function realCluster(startSite: (cluster: JoinableCluster) => Promise<WorkerSite>): () => RealCluster {
  let parts: RealCluster | undefined;
  beforeAll(async () => {
    const cluster = await startJoinableCluster(unlimited());
    parts = { cluster, site: await startSite(cluster) };
  });
  afterAll(async () => parts?.site.stop());
  return () => {
    if (parts === undefined) throw new Error('The tests do not run yet');
    return parts;
  };
}

/** The same with a Linux machine, and the real kubelet of the same source. */
export function realLinuxCluster(): () => RealCluster {
  return realCluster(async (cluster) => startLinuxSite(cluster, REAL_KUBELETS));
}
