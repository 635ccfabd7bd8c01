import { afterAll, beforeAll, describe } from 'vitest';
import { unlimited } from '../cloud/patience.ts';
import { workerLife } from './cases/worker-life.ts';
import { startLinuxSite } from './site/linux-site.ts';
import { STAND_IN_KUBELETS } from './site/supplies.ts';
import type { WorkerSite } from './site/worker-site.ts';
import { startSmallCluster } from './small-cluster/small-cluster.ts';

describe('the life of a worker on Linux, with a small cluster and a stand-in for the kubelet', () => {
  let site: WorkerSite;

  beforeAll(async () => {
    site = await startLinuxSite(await startSmallCluster(unlimited()), STAND_IN_KUBELETS);
  });
  afterAll(async () => site.stop());

  workerLife(
    () => site,
    () => undefined,
  );
});
