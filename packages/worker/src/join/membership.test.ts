import { pinOf } from '@fenestra/contracts/kube';
import { expect, test } from 'vitest';
import { BLANK_RECORD } from '../worker-record.ts';
import { makeTestCa } from '../discovery/testing/test-ca.ts';
import { testWorkerLayout as layout } from '../testing/test-worker.ts';
import { placeOf, presentMembership, refuseOldIdentity } from './membership.ts';

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
    expect(presentMembership(joined, { discovery: byToken(endpoint), nodeName: 'w1', ca: undefined })).toBe(cluster);
  }
});

test('a worker of another cluster, or of another name, is refused', () => {
  for (const [endpoint, nodeName] of [
    ['other:6443', 'w1'],
    ['lb:6443', 'w2'],
  ] as const) {
    expect(() => presentMembership(joined, { discovery: byToken(endpoint), nodeName, ca: undefined })).toThrow(
      expect.objectContaining({ code: 'NODE_CONFLICT', hint: expect.stringContaining('kube reset') }),
    );
  }
});

test('of an address that a file comes from, what may be secret is not remembered', () => {
  const url = 'https://user:password@files.example:8443/clusters/one?token=secret#x';
  expect(placeOf({ kind: 'url', url })).toBe('https://files.example:8443/clusters/one');
  const known = {
    ...joined,
    record: { ...joined.record, cluster: { ...cluster, endpoint: placeOf({ kind: 'url', url }) } },
  };
  expect(presentMembership(known, { discovery: { kind: 'url', url }, nodeName: 'w1', ca: undefined })).toBeDefined();
});

test('a machine that was only prepared, or whose identity is gone, is not a worker', () => {
  const wanted = { discovery: byToken('other:6443'), nodeName: 'w1', ca: undefined };
  expect(presentMembership({ record: BLANK_RECORD, hasIdentity: false }, wanted)).toBeUndefined();
  expect(presentMembership({ ...joined, hasIdentity: false }, wanted)).toBeUndefined();
});

test('another cluster that came up at the same address is not taken for the one that the worker knows', async () => {
  const [{ certificate: ca }, other] = [await makeTestCa(), await makeTestCa()];
  const withPin = (pin: string) => ({ discovery: { ...byToken('lb:6443'), caHashes: [pin] }, nodeName: 'w1', ca });
  expect(presentMembership(joined, withPin(pinOf(ca)))).toBe(cluster);
  expect(() => presentMembership(joined, withPin(pinOf(other.certificate)))).toThrow(
    expect.objectContaining({
      code: 'NODE_CONFLICT',
      message: expect.stringContaining('whose CA does not match the given hash'),
    }),
  );
});

test('a kubelet that is to get its own certificate must not find an identity of another join', () => {
  refuseOldIdentity({ hasIdentity: false, layout });
  expect(() => refuseOldIdentity({ hasIdentity: true, layout })).toThrow(
    expect.objectContaining({ code: 'NODE_CONFLICT', message: expect.stringContaining(layout.kubeconfig) }),
  );
});
