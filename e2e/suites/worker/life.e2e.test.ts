import { afterAll, beforeAll, describe } from 'vitest';
import { unlimited } from '../../support/cloud/patience.ts';
import { workerLife } from '../../support/worker/cases/worker-life.ts';
import { startLinuxSite } from '../../support/worker/site/linux-site.ts';
import { STAND_IN_KUBELETS } from '../../support/worker/site/supplies.ts';
import type { WorkerSite } from '../../support/worker/site/worker-site.ts';
import { startSmallCluster } from '../../support/worker/small-cluster/small-cluster.ts';

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
