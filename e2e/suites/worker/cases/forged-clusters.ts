import { signatureKey } from '@fenestra/worker';
import { expect, test } from 'vitest';
import { unlimited } from '../../../support/cloud/patience.ts';
import { openSwitchingRelay } from '../site/switching-relay.ts';
import { portOf } from '../../../support/worker/site/worker-cluster.ts';
import type { WorkerSite } from '../../../support/worker/site/worker-site.ts';
import {
  type SmallCluster,
  startSmallCluster,
  type Texts,
} from '../../../support/worker/small-cluster/small-cluster.ts';
import { refusalOf } from '../../../support/worker/cases/refused-joins.ts';

interface ForgeryParts {
  readonly site: WorkerSite;
  readonly cluster: SmallCluster;
}

/** Clusters that are not what they say: found out before anything changes. */
export function forgedClusters(parts: () => ForgeryParts): void {
  /** Joins while cluster-info is tampered with; called with the texts, the token's id and which answer it is. */
  async function tampered(change: (texts: Texts, id: string, answer: number) => Texts): Promise<string | undefined> {
    const { site, cluster } = parts();
    const token = await cluster.makeToken();
    cluster.tamper((texts, answer) => change(texts, token.split('.')[0] ?? '', answer));
    return refusalOf(site, { token }).finally(() => cluster.tamper(undefined));
  }

  test('cluster-info that is not signed with our token: TOKEN_INVALID', async () => {
    const code = await tampered((texts, id) => {
      const { [signatureKey({ id, secret: '' })]: _, ...rest } = texts;
      return rest;
    });
    expect(code).toBe('TOKEN_INVALID');
  });

  test('cluster-info that someone changed after it was signed: CLUSTER_INFO_FORGED', async () => {
    const code = await tampered((texts) => ({ ...texts, kubeconfig: `${texts['kubeconfig']}# and more\n` }));
    expect(code).toBe('CLUSTER_INFO_FORGED');
  });

  test('another CA behind the same address at the second look: API_UNTRUSTED', async () => {
    const { site, cluster } = parts();
    const other = await startSmallCluster(unlimited());
    const relay = await openSwitchingRelay(site.sparePort, portOf(cluster.endpoint), portOf(other.endpoint));
    try {
      const wishes = { token: await cluster.makeToken(), endpoint: `127.0.0.1:${site.sparePort}` };
      expect(await refusalOf(site, wishes)).toBe('API_UNTRUSTED');
    } finally {
      await relay.close();
      await other.stop();
    }
  });
}
