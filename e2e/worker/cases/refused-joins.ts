import { expect, test } from 'vitest';
import { ask } from '../../lifecycle/answer.ts';
import { joinArgs, joinWith } from '../administrator.ts';
import { leftOfWorker, nodeObject, pictureOfWorker } from '../machine-state.ts';
import type { WorkerSite } from '../site/worker-site.ts';

/** What a cluster's people may do to a request for a certificate while somebody joins. */
export interface RequestHands {
  /** Nobody looks at requests while the work goes on. */
  unheard<T>(work: () => Promise<T>): Promise<T>;
  /** Every request is denied while the work goes on. */
  denied<T>(work: () => Promise<T>): Promise<T>;
}

interface RefusalParts {
  readonly site: WorkerSite;
  readonly hands: RequestHands;
}

/** Long enough for what can still come right, and short enough for a test. */
const SOON = ['--wait', '8s'];
const OTHER_PIN = `sha256:${'0'.repeat(64)}`;

/** Joins that cannot come to anything: one clear error each, and a machine as it was, file by file. */
export function refusedJoins(parts: () => RefusalParts): void {
  /** The code of a join that fails, on a machine that it must leave alone. */
  const refused = async (token: string, ...more: readonly string[]): Promise<string | undefined> => {
    const { site } = parts();
    const before = await pictureOfWorker(site);
    const answer = await joinWith(site, token, ...SOON, ...more);
    expect(answer.exitCode, answer.said).not.toBe(0);
    expect(await leftOfWorker(site)).toEqual([]);
    expect(await pictureOfWorker(site)).toEqual(before);
    expect(await nodeObject(site)).toBeUndefined();
    expect(answer.said).not.toContain(token.split('.')[1]);
    return answer.error?.code;
  };
  const token = async (): Promise<string> => parts().site.cluster.makeToken();

  test('a cluster whose CA has another hash than the one given: CA_NOT_PINNED', async () => {
    const { site } = parts();
    const before = await pictureOfWorker(site);
    const args = joinArgs(site).map((arg) => (arg === site.cluster.pin ? OTHER_PIN : arg));
    const answer = await ask(site.machine, [...args, ...SOON], { KEADM_TOKEN: await token() });
    expect(answer.error?.code, answer.said).toBe('CA_NOT_PINNED');
    expect(await pictureOfWorker(site)).toEqual(before);
  });

  test('a token that has expired: TOKEN_INVALID', async () => {
    expect(await refused(await parts().site.cluster.makeToken({ lifeSeconds: -60 }))).toBe('TOKEN_INVALID');
  });

  test('a token that the cluster signs nothing with: TOKEN_INVALID', async () => {
    expect(await refused('abcdef.0123456789abcdef')).toBe('TOKEN_INVALID');
  });

  test('a request for a certificate that is denied: IDENTITY_REFUSED', async () => {
    const given = await token();
    expect(await parts().hands.denied(async () => refused(given))).toBe('IDENTITY_REFUSED');
  });

  test('a request for a certificate that nobody approves: TIMED_OUT', async () => {
    const given = await token();
    expect(await parts().hands.unheard(async () => refused(given))).toBe('TIMED_OUT');
  });

  test('a kubelet that is newer than the cluster: VERSION_SKEW', async () => {
    const { releases } = parts().site;
    expect(await refusedRelease(releases.tooNew)).toBe('VERSION_SKEW');
  });

  test('a kubelet that ends again and again: KUBELET_UNHEALTHY, with its last words', async () => {
    const { releases } = parts().site;
    expect(await refusedRelease(releases.broken)).toBe('KUBELET_UNHEALTHY');
  });

  async function refusedRelease(release: string): Promise<string | undefined> {
    const { site } = parts();
    const before = await pictureOfWorker(site);
    const answer = await ask(site.machine, [...joinArgs(site, release), '--wait', '30s'], {
      KEADM_TOKEN: await token(),
    });
    expect(answer.exitCode, answer.said).not.toBe(0);
    expect(await pictureOfWorker(site)).toEqual(before);
    expect(await leftOfWorker(site)).toEqual([]);
    return answer.error?.code;
  }
}
