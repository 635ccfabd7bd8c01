import { expect, test } from 'vitest';
import { configurationOfFlags, joinConfiguration, withFlags, type TypedJoin } from './join-configuration.ts';
import type { KubeJoinFlags } from './join-options.ts';

const flags: KubeJoinFlags = {
  dryRun: false,
  scriptLimit: 1,
  with: [],
  withoutChecksum: false,
  skipCheck: [],
  ignorePreflightErrors: [],
  bootstrap: 'own',
  settle: 5,
  waitReady: false,
};
const token = 'abcdef.0123456789abcdef';
const hash = `sha256:${'ab'.repeat(32)}`;

function typed(change: Partial<KubeJoinFlags>, more: Partial<TypedJoin> = {}): TypedJoin {
  return { endpoint: 'c:6443', token, os: 'linux', joined: false, flags: { ...flags, ...change }, ...more };
}

const refusal = (attempt: TypedJoin): unknown => {
  try {
    return configurationOfFlags(attempt);
  } catch (error) {
    return error;
  }
};

test('what kubeadm prints as its join command is understood', () => {
  const { discovery, tlsBootstrapToken } = configurationOfFlags(typed({ discoveryTokenCaCertHash: [hash] }));
  expect(discovery).toEqual({ kind: 'token', token, endpoint: 'c:6443', caHashes: [hash], skipCaVerification: false });
  expect(tlsBootstrapToken).toBe(token);
});

test('tokens for finding the cluster and for the certificate may differ', () => {
  const [first, second] = ['aaaaaa.0123456789abcdef', 'bbbbbb.0123456789abcdef'];
  const change = { discoveryToken: first, tlsBootstrapToken: second, discoveryTokenCaCertHash: [hash] };
  const { discovery, tlsBootstrapToken } = configurationOfFlags(typed(change, { token: undefined }));
  expect(discovery).toMatchObject({ token: first });
  expect(tlsBootstrapToken).toBe(second);
});

test.each<[string, TypedJoin, string]>([
  ['no cluster', typed({}, { endpoint: undefined }), 'Missing the API server'],
  ['no token', typed({}, { token: undefined }), 'Missing the token'],
  ['no hash of the CA', typed({}), 'hash of its CA'],
  ['a file and an address at once', typed({ discoveryFile: '/d.conf' }), 'a discovery file and a token together'],
  ['a taint that is none', typed({ discoveryTokenCaCertHash: [hash], taints: ['x'] }), 'taint'],
])('%s is reported before anything is asked', (_what, attempt, message) => {
  expect(refusal(attempt)).toMatchObject({ code: 'USAGE', message: expect.stringContaining(message) });
});

test('a machine that has joined needs neither a token nor a hash to say so', () => {
  const { discovery } = configurationOfFlags(typed({}, { token: undefined, joined: true }));
  expect(discovery).toMatchObject({ kind: 'token', endpoint: 'c:6443', caHashes: [] });
});

test('"--wait" is for all that is waited for, and never makes a file more patient than it is', async () => {
  const patient = await joinConfiguration(typed({ discoveryTokenCaCertHash: [hash] }));
  expect(patient.timeouts).toMatchObject({ discovery: 300_000, tlsBootstrap: 300_000 });
  const hasty = await joinConfiguration(typed({ discoveryTokenCaCertHash: [hash], wait: 20 }));
  expect(hasty.timeouts).toMatchObject({ discovery: 20_000, tlsBootstrap: 20_000 });
  const longer = await joinConfiguration(typed({ discoveryTokenCaCertHash: [hash], wait: 900 }));
  expect(longer.timeouts).toEqual(patient.timeouts);
});

test('a token or hash that is cut off is refused, and the token is not repeated', () => {
  const cut = refusal(typed({ discoveryTokenCaCertHash: [hash] }, { token: 'abcdef.0123' }));
  expect(cut).toMatchObject({ code: 'TOKEN_INVALID' });
  expect(JSON.stringify(cut)).not.toContain('0123');
  expect(refusal(typed({ discoveryTokenCaCertHash: ['sha256:ab'] }))).toMatchObject({ code: 'USAGE' });
});

test('trap 11: a discovery file may have a drive letter', () => {
  const attempt = typed({ discoveryFile: String.raw`C:\d\cluster.conf` }, { endpoint: undefined, os: 'windows' });
  const { discovery } = configurationOfFlags(attempt);
  expect(discovery).toMatchObject({ kind: 'file', path: expect.stringContaining('cluster.conf') });
});

test('with a file, what it says already is refused, and what it leaves open may be added', () => {
  const file = configurationOfFlags(typed({ discoveryTokenCaCertHash: [hash] }));
  expect(() => withFlags(file, { ...flags, token }, 'linux')).toThrow(expect.objectContaining({ code: 'USAGE' }));
  expect(() => withFlags({ ...file, criSocket: 'unix:///a' }, { ...flags, criSocket: '/b' }, 'linux')).toThrow(
    expect.objectContaining({ message: expect.stringContaining('--cri-socket') }),
  );
  const added = withFlags(file, { ...flags, criSocket: '/run/x.sock', nodeName: 'w' }, 'linux');
  expect(added).toMatchObject({ criSocket: 'unix:///run/x.sock', nodeName: 'w' });
});

test('an address beside a file is refused, since one of the two would be ignored', async () => {
  await expect(joinConfiguration(typed({ config: '/join.yaml' }))).rejects.toMatchObject({
    code: 'USAGE',
    message: expect.stringContaining('c:6443'),
  });
});
