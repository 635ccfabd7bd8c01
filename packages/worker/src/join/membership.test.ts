import { expect, test } from 'vitest';
import { BLANK_RECORD } from '../record/worker-record.ts';
import { presentMembership } from './membership.ts';

const cluster = {
  nodeName: 'w1',
  endpoint: 'lb:6443',
  server: 'https://10.0.0.1:6443',
  caSha256: 'ca',
  criSocket: 'unix:///c',
};
const joined = { record: { ...BLANK_RECORD, cluster }, hasIdentity: true };
const byToken = (endpoint: string) =>
  ({ kind: 'token', token: 't', endpoint, caHashes: [], skipCaVerification: true }) as const;

test('a worker knows its cluster by the address it was given, and by the one the cluster has for itself', () => {
  for (const endpoint of ['lb:6443', '10.0.0.1:6443']) {
    expect(presentMembership(joined, { discovery: byToken(endpoint), nodeName: 'w1' })).toBe(cluster);
  }
});

test('a worker of another cluster, or of another name, is refused', () => {
  for (const [endpoint, nodeName] of [
    ['other:6443', 'w1'],
    ['lb:6443', 'w2'],
  ] as const) {
    expect(() => presentMembership(joined, { discovery: byToken(endpoint), nodeName })).toThrow(
      expect.objectContaining({ code: 'NODE_CONFLICT', hint: expect.stringContaining('kube reset') }),
    );
  }
});

test('a machine that was only prepared, or whose identity is gone, is no worker', () => {
  const wanted = { discovery: byToken('other:6443'), nodeName: 'w1' };
  expect(presentMembership({ record: BLANK_RECORD, hasIdentity: false }, wanted)).toBeUndefined();
  expect(presentMembership({ ...joined, hasIdentity: false }, wanted)).toBeUndefined();
});
