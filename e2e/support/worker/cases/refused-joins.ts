import { expect, test } from 'vitest';
import { type FileJoin, joinByFile } from '../join-file.ts';
import { leftOfWorker, nodeObject, pictureOfWorker } from '../machine-state.ts';
import type { WorkerSite } from '../site/worker-site.ts';

/** What a cluster's people may do to a request for a certificate while someone joins. */
export interface RequestHands {
  /** No one looks at requests while the work goes on. */
  unheard<T>(work: () => Promise<T>): Promise<T>;
  /** Every request is denied while the work goes on. */
  denied<T>(work: () => Promise<T>): Promise<T>;
}

interface RefusalParts {
  readonly site: WorkerSite;
  readonly hands: RequestHands;
}

const OTHER_PIN = `sha256:${'0'.repeat(64)}`;

/** The code of a join that has to fail, on a machine that it must leave as it was, file by file. */
export async function refusalOf(site: WorkerSite, wishes: FileJoin): Promise<string | undefined> {
  const before = await pictureOfWorker(site);
  const answer = await joinByFile(site, wishes);
  expect(answer.exitCode, answer.said).not.toBe(0);
  expect(await leftOfWorker(site)).toEqual([]);
  expect(await pictureOfWorker(site)).toEqual(before);
  expect(answer.said).not.toContain(wishes.token.split('.')[1]);
  return answer.error?.code;
}

/** Joins that cannot come to anything: one clear error each. */
export function refusedJoins(parts: () => RefusalParts): void {
  const token = async (): Promise<string> => parts().site.cluster.makeToken();

  test('a cluster whose CA has another hash than the one given: CA_NOT_PINNED', async () => {
    expect(await refusalOf(parts().site, { token: await token(), pin: OTHER_PIN })).toBe('CA_NOT_PINNED');
  });

  test('a request for a certificate that is denied: IDENTITY_REFUSED', async () => {
    const { site, hands } = parts();
    const given = await token();
    expect(await hands.denied(async () => refusalOf(site, { token: given }))).toBe('IDENTITY_REFUSED');
  });

  test('a kubelet that is newer than the cluster: VERSION_SKEW', async () => {
    const { site } = parts();
    const wishes = { token: await token(), release: site.releases.tooNew };
    expect(await refusalOf(site, wishes)).toBe('VERSION_SKEW');
    expect(await nodeObject(site)).toBeUndefined();
  });

  test('a kubelet that ends again and again: SERVICE_FAILED', async () => {
    const { site } = parts();
    const wishes = { token: await token(), release: site.releases.broken };
    expect(await refusalOf(site, wishes)).toBe('SERVICE_FAILED');
    expect(await nodeObject(site)).toBeUndefined();
  });
}

/** Joins that could still have come right, so that they are given up only when their time is over. */
export function patientRefusals(parts: () => RefusalParts): void {
  const token = async (): Promise<string> => parts().site.cluster.makeToken();

  test('a token that has expired: TOKEN_INVALID', async () => {
    expect(await refusalOf(parts().site, { token: await parts().site.cluster.makeToken({ lifeSeconds: -60 }) })).toBe(
      'TOKEN_INVALID',
    );
  });

  test('a token that the cluster has never heard of: TOKEN_INVALID, as soon as "--wait" is over', async () => {
    const wishes = { token: 'abcdef.0123456789abcdef', patience: '5m', wait: '6s' };
    expect(await refusalOf(parts().site, wishes)).toBe('TOKEN_INVALID');
  }, 60_000);

  test('a request for a certificate that no one approves: TIMED_OUT', async () => {
    const { site, hands } = parts();
    const given = await token();
    expect(await hands.unheard(async () => refusalOf(site, { token: given }))).toBe('TIMED_OUT');
  });

  test('a kubelet that runs, and of which the cluster never hears: KUBELET_UNHEALTHY', async () => {
    const { site } = parts();
    const wishes = { token: await token(), release: site.releases.mute, wait: '8s' };
    expect(await refusalOf(site, wishes)).toBe('KUBELET_UNHEALTHY');
  });
}
