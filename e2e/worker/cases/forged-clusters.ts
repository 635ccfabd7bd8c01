import { signatureKey } from '@fenestra/contracts/kube';
import { expect, test } from 'vitest';
import { unlimited } from '../../cloud/patience.ts';
import { ask } from '../../lifecycle/answer.ts';
import { joinArgs, joinWith } from '../administrator.ts';
import { pictureOfWorker } from '../machine-state.ts';
import { openSwitchingRelay } from '../site/switching-relay.ts';
import { portOf } from '../site/worker-cluster.ts';
import type { WorkerSite } from '../site/worker-site.ts';
import { type SmallCluster, startSmallCluster, type Texts } from '../small-cluster/small-cluster.ts';

interface ForgeryParts {
  readonly site: WorkerSite;
  readonly cluster: SmallCluster;
}

const SOON = ['--wait', '5s'];

/** Clusters that are not what they say: found out before anything changes. */
export function forgedClusters(parts: () => ForgeryParts): void {
  async function unchanged(run: () => ReturnType<typeof ask>): Promise<string | undefined> {
    const before = await pictureOfWorker(parts().site);
    const answer = await run();
    expect(answer.exitCode, answer.said).not.toBe(0);
    expect(await pictureOfWorker(parts().site)).toEqual(before);
    return answer.error?.code;
  }

  /** Joins while cluster-info is tampered with. */
  async function joinTampered(
    change: (texts: Texts, id: string, answer: number) => Texts,
  ): Promise<string | undefined> {
    const { site, cluster } = parts();
    const token = await cluster.makeToken();
    cluster.tamper((texts, answer) => change(texts, token.split('.')[0] ?? '', answer));
    try {
      return await unchanged(async () => joinWith(site, token, ...SOON));
    } finally {
      cluster.tamper(undefined);
    }
  }

  test('cluster-info that is not signed with our token: TOKEN_INVALID', async () => {
    const code = await joinTampered((texts, id) => {
      const { [signatureKey({ id, secret: '' })]: _, ...rest } = texts;
      return rest;
    });
    expect(code).toBe('TOKEN_INVALID');
  });

  test('cluster-info that somebody changed after it was signed: CLUSTER_INFO_FORGED', async () => {
    const code = await joinTampered((texts) => ({ ...texts, kubeconfig: `${texts['kubeconfig']}# and more\n` }));
    expect(code).toBe('CLUSTER_INFO_FORGED');
  });

  test('another CA behind the same address at the second look: API_UNTRUSTED', async () => {
    const { site, cluster } = parts();
    const other = await startSmallCluster(unlimited());
    const relay = await openSwitchingRelay(site.sparePort, portOf(cluster.endpoint), portOf(other.endpoint));
    try {
      const args = joinArgs(site).map((arg) => (arg === cluster.endpoint ? `127.0.0.1:${site.sparePort}` : arg));
      const token = await cluster.makeToken();
      const code = await unchanged(async () => ask(site.machine, [...args, ...SOON], { KEADM_TOKEN: token }));
      expect(code).toBe('API_UNTRUSTED');
    } finally {
      await relay.close();
      await other.stop();
    }
  });
}
