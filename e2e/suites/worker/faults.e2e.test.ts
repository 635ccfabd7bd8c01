import { afterAll, beforeAll, describe } from 'vitest';
import { unlimited } from '../../support/cloud/patience.ts';
import { isShortRun } from '../../support/reporting/short-run.ts';
import { forgedClusters } from './cases/forged-clusters.ts';
import { otherClusters } from './cases/other-clusters.ts';
import { patientRefusals, refusedJoins } from '../../support/worker/cases/refused-joins.ts';
import { startLinuxSite } from '../../support/worker/site/linux-site.ts';
import { STAND_IN_KUBELETS } from '../../support/worker/site/supplies.ts';
import type { WorkerSite } from '../../support/worker/site/worker-site.ts';
import {
  type SmallCluster,
  startSmallCluster,
  type Verdict,
} from '../../support/worker/small-cluster/small-cluster.ts';

describe('joins and resets that must not come to anything, on Linux with a small cluster', () => {
  let cluster: SmallCluster;
  let site: WorkerSite;

  beforeAll(async () => {
    cluster = await startSmallCluster(unlimited());
    site = await startLinuxSite(cluster, STAND_IN_KUBELETS);
  });
  afterAll(async () => site.stop());

  const decided = async <T>(verdict: Verdict, work: () => Promise<T>): Promise<T> => {
    cluster.decide(verdict);
    return work().finally(() => cluster.decide('approve'));
  };
  const refusalParts = () => ({
    site,
    hands: {
      unheard: async <T>(work: () => Promise<T>) => decided('silence', work),
      denied: async <T>(work: () => Promise<T>) => decided('deny', work),
    },
  });
  forgedClusters(() => ({ site, cluster }));
  refusedJoins(refusalParts);
  otherClusters(() => site);
  if (!isShortRun()) patientRefusals(refusalParts);
});
