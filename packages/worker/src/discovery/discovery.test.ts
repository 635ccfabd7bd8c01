import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  bootstrapTokenText,
  parseBootstrapToken,
  parsePin,
  pinnedCa,
  pinnedIn,
  pinOf,
  shareCa,
} from '@fenestra/contracts/kube';
import { signClusterInfo, verifyClusterInfo } from './cluster-info.ts';
import { readClusterEntry, readClusterInfo } from './kubeconfig.ts';
import { kubeletKubeconfig, tokenKubeconfig } from './worker-kubeconfigs.ts';

const certificate = (name: string): string => readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8');
const ONE = certificate('ca-one.crt');
const TWO = certificate('ca-two.crt');
/** As `openssl x509 -pubkey | openssl pkey -pubin -outform der | sha256sum` says. */
const PIN_TWO = 'sha256:f98c5ee8f0322d69dd330972a8a74926050b11125dbc9545f44228fea73c6046';

const TOKEN = parseBootstrapToken('abcdef.0123456789abcdef');
const CONTENT = 'apiVersion: v1\nkind: Config\n';
const SIGNATURE = 'eyJhbGciOiJIUzI1NiIsImtpZCI6ImFiY2RlZiJ9..vH_kT4yiol-nrAWgjfCYqvum5wsKETXe0S7OOp1VgnE';

test('the signature of cluster-info has its header in this order, no padding, and no payload', () => {
  expect(signClusterInfo(CONTENT, TOKEN)).toBe(SIGNATURE);
});

const verdictOn = (signature: string): string =>
  verifyClusterInfo({ kubeconfig: CONTENT, 'jws-kubeconfig-abcdef': signature }, TOKEN);

test('the signature is compared as a whole: another header with the same claims is forged', () => {
  const [, mac = ''] = SIGNATURE.split('..');
  const reordered = Buffer.from('{"kid":"abcdef","alg":"HS256"}').toString('base64url');
  expect(verdictOn(SIGNATURE)).toBe('valid');
  expect([`${reordered}..${mac}`, `${SIGNATURE}=`, SIGNATURE.toUpperCase(), 'x'].map(verdictOn)).toEqual(
    Array.from({ length: 4 }, () => 'forged'),
  );
});

test.each([
  [{ kubeconfig: CONTENT, 'jws-kubeconfig-zzzzzz': SIGNATURE }, 'unsigned'],
  [{ kubeconfig: CONTENT }, 'unsigned'],
  [{ 'jws-kubeconfig-abcdef': SIGNATURE }, 'no-kubeconfig'],
  [{ kubeconfig: CONTENT.replace('Config', 'config'), 'jws-kubeconfig-abcdef': SIGNATURE }, 'forged'],
  [{ kubeconfig: CONTENT.replaceAll('\n', '\r\n'), 'jws-kubeconfig-abcdef': SIGNATURE }, 'forged'],
] as const)('cluster-info %# is judged by what is missing', (data, verdict) => {
  expect(verifyClusterInfo(data, TOKEN)).toBe(verdict);
});

test.each(['', 'abcdef', 'abcdef.0123456789abcde', 'ABCDEF.0123456789abcdef', 'abcdef.0123456789abcdef.', 'hunter2'])(
  'the token %j is refused without being repeated',
  (text) => {
    const failure = failureOf(() => parseBootstrapToken(text));
    expect(failure).toMatchObject({ code: 'TOKEN_INVALID' });
    expect(failure.message).not.toContain('hunter2');
  },
);

test('a token is read with what a copy brings along, and put together again', () => {
  expect(bootstrapTokenText(parseBootstrapToken(' abcdef.0123456789abcdef\n'))).toBe('abcdef.0123456789abcdef');
});

test('a pin is met by any CA of the bundle, in whatever case it is written', () => {
  expect(pinOf(TWO)).toBe(PIN_TWO);
  expect(pinnedCa(`${ONE}\n${TWO}`, [parsePin(PIN_TWO.toUpperCase())])).toBe(true);
  expect(pinnedIn(`${ONE}\n${TWO}`, [parsePin(PIN_TWO)])).toEqual([TWO.trim()]);
  expect(pinnedCa(ONE, [parsePin(PIN_TWO)])).toBe(false);
  expect(pinnedCa(ONE, [parsePin(PIN_TWO), parsePin(pinOf(ONE))])).toBe(true);
});

test('two clusters are one if they have a CA in common, and another one beside it does no harm', () => {
  expect(shareCa(`${ONE}\n${TWO}`, TWO)).toBe(true);
  expect(shareCa(TWO, `${ONE}\n${TWO}`)).toBe(true);
  expect(shareCa(ONE, TWO)).toBe(false);
  expect(shareCa('', '')).toBe(false);
});

test('what is not a certificate in a bundle neither helps nor hides the others', () => {
  const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
  expect(pinnedCa(`${broken}${TWO}`, [parsePin(PIN_TWO)])).toBe(true);
  expect(pinnedCa(broken, [parsePin(PIN_TWO)])).toBe(false);
  expect(pinnedCa('', [parsePin(PIN_TWO)])).toBe(false);
  expect(pinnedCa(TWO, [])).toBe(false);
});

test.each([
  ['', 'must be "sha256:" and the hash'],
  [PIN_TWO.slice(7), 'must be "sha256:" and the hash'],
  [`${PIN_TWO}:1`, 'must be "sha256:" and the hash'],
  [PIN_TWO.replace('sha256', 'sha512'), 'must begin with "sha256:"'],
  [PIN_TWO.replace('f98', 'g98'), 'only hex digits'],
  [PIN_TWO.slice(0, -1), '64 hex digits'],
  [`${PIN_TWO}00`, '64 hex digits'],
])('the pin %j is refused', (text, reason) => {
  expect(failureOf(() => parsePin(text))).toMatchObject({ code: 'USAGE', message: expect.stringContaining(reason) });
});

const CA = { 'certificate-authority-data': Buffer.from(ONE).toString('base64') };

test('the cluster without a name counts before the one of the current context', () => {
  const config = {
    clusters: [
      { name: 'b', cluster: { server: 'https://b:6443', ...CA } },
      { name: '', cluster: { server: 'https://a:6443', ...CA } },
    ],
    contexts: [{ name: 'x', context: { cluster: 'b', user: 'u' } }],
    'current-context': 'x',
    users: null,
  };
  expect(readClusterInfo(JSON.stringify(config))).toEqual({ server: 'https://a:6443', caBundle: ONE });
  const named = { ...config, clusters: config.clusters.slice(0, 1) };
  expect(readClusterInfo(JSON.stringify(named)).server).toBe('https://b:6443');
});

const kubeconfigOf = (user: object): string =>
  JSON.stringify({
    clusters: [{ name: 'c', cluster: { server: 'https://a:6443' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
    users: [{ name: 'u', user }],
  });

test('a kubeconfig for discovery may leave its CA to the cluster, and says whether it can log in', () => {
  const entry = { server: 'https://a:6443', caBundle: undefined, caFile: undefined };
  expect(readClusterEntry(kubeconfigOf({}))).toEqual({ ...entry, hasCredentials: false });
  expect(readClusterEntry(kubeconfigOf({ token: 't' }))).toEqual({ ...entry, hasCredentials: true });
  expect(failureOf(() => readClusterInfo(kubeconfigOf({})))).toMatchObject({
    message: expect.stringContaining('no CA'),
  });
});

test.each([
  '',
  'hunter2: [',
  'clusters: hunter2',
  'clusters: []',
  '{clusters: [{name: "", cluster: {server: "http://hunter2"}}]}',
  '{clusters: [{name: "", cluster: {server: hunter2}}]}',
  '{clusters: [{name: "", cluster: {server: "https://a", certificate-authority-data: hunter2}}]}',
])('%j is not a kubeconfig of a cluster, and is not repeated', (text) => {
  const failure = failureOf(() => readClusterInfo(text));
  expect(failure).toMatchObject({ code: 'KUBECONFIG_INVALID' });
  expect(failure.message).not.toContain('hunter2');
});

test('a worker knocks with a kubeconfig named as kubeadm names it', () => {
  const access = { server: 'https://a:6443', caBundle: ONE, clusterName: 'yes', token: 'abcdef.0123456789abcdef' };
  const text = tokenKubeconfig(access);
  expect(readClusterEntry(text)).toMatchObject({ server: 'https://a:6443', caBundle: ONE, hasCredentials: true });
  expect(text).toContain('name: "yes"');
  expect(parse(text)).toMatchObject({
    contexts: [{ name: 'tls-bootstrap-token-user@kubernetes', context: { user: 'tls-bootstrap-token-user' } }],
    users: [{ user: { token: 'abcdef.0123456789abcdef' } }],
  });
});

test('kubelet.conf points to a file that is renewed, and may point to the CA', () => {
  const certificateFile = 'C:\\var\\lib\\kubelet\\pki\\kubelet-client-current.pem';
  const text = kubeletKubeconfig({ server: 'https://a:6443', caFile: 'C:\\ca.crt', certificateFile });
  expect(readClusterEntry(text)).toMatchObject({ caFile: 'C:\\ca.crt', caBundle: undefined });
  expect(parse(text)).toMatchObject({
    'current-context': 'default-context',
    contexts: [{ context: { cluster: 'default-cluster', namespace: 'default', user: 'default-auth' } }],
    users: [{ user: { 'client-certificate': certificateFile, 'client-key': certificateFile } }],
  });
});

function failureOf(action: () => unknown): OperatorError {
  try {
    action();
  } catch (error) {
    if (error instanceof OperatorError) return error;
    throw error;
  }
  throw new Error('Nothing was refused');
}
