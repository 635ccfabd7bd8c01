import { parseBootstrapToken, pinOf } from '@fenestra/contracts/kube';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { signatureKey, signClusterInfo } from './cluster-info.ts';
import { discoverByToken, type TokenDiscovery } from './discover-cluster.ts';
import { makeTestCa, type TestCa, type TestPair } from './testing/test-ca.ts';
import {
  clusterInfo,
  clusterInfoKubeconfig,
  startTestServer,
  type TestAnswer,
  type TestServer,
} from './testing/test-server.ts';

const { signal } = new AbortController();
const TOKEN = 'abcdef.0123456789abcdef';
const SECRET = '0123456789abcdef';
const ADDRESS = 'https://control-plane.example:6443';
let ca: TestCa;
let pair: TestPair;
let kubeconfig: string;
let server: TestServer | undefined;
let said: string[];

beforeAll(async () => {
  ca = await makeTestCa();
  pair = await ca.issue();
  kubeconfig = clusterInfoKubeconfig(ADDRESS, ca.certificate);
});
afterEach(async () => {
  await server?.close();
  server = undefined;
});

function signed(text: string, token = TOKEN): TestAnswer {
  const parsed = parseBootstrapToken(token);
  return clusterInfo({ kubeconfig: text, [signatureKey(parsed)]: signClusterInfo(text, parsed) });
}

async function discover(answer: (count: number) => TestAnswer, wish: Partial<TokenDiscovery> = {}, limitMs = 5_000) {
  said = [];
  server = await startTestServer(pair, answer);
  return discoverAt(server.endpoint, wish, limitMs);
}

async function discoverAt(endpoint: string, wish: Partial<TokenDiscovery>, limitMs: number) {
  const caHashes = [pinOf(ca.certificate)];
  const discovery = { kind: 'token', token: TOKEN, endpoint, caHashes, skipCaVerification: false, ...wish } as const;
  return discoverByToken(discovery, { limitMs, say: (text) => said.push(text) }, signal);
}

test("trap 5: the cluster's own word for its address counts, not the one it was found by", async () => {
  const found = await discover(() => signed(kubeconfig));
  expect(found).toEqual({ server: ADDRESS, caBundle: ca.certificate, kubeconfig: undefined, warnings: [] });
  expect(server?.requests.map(({ line }) => line)).toEqual(
    Array.from({ length: 2 }, () => 'GET /api/v1/namespaces/kube-public/configmaps/cluster-info'),
  );
});

test('the token is never sent: who answers need not be the cluster', async () => {
  await discover(() => signed(kubeconfig));
  expect(server?.requests.map(({ authorization }) => authorization)).toEqual([undefined, undefined]);
});

test('trap 3: the signature of a new token is waited for, not only the ConfigMap', async () => {
  const found = await discover((count) => (count === 0 ? clusterInfo({ kubeconfig }) : signed(kubeconfig)));
  expect(found.server).toBe(ADDRESS);
  expect(said).toEqual([expect.stringMatching(/does not know the token "abcdef\.…".*; retrying, for 5 s at most$/)]);
});

test('trap 4: a second answer that is not the same to the byte ends it', async () => {
  const other = `${kubeconfig}# harmless\n`;
  await expect(discover((count) => signed(count === 0 ? kubeconfig : other))).rejects.toMatchObject({
    code: 'CLUSTER_INFO_CHANGED',
  });
});

test('a server that shows the certificate of another CA at the second look is not trusted', async () => {
  const stranger = await (await makeTestCa()).issue();
  const outcome = discover((count) => {
    if (count === 0) server?.present(stranger);
    return signed(kubeconfig);
  });
  await expect(outcome).rejects.toMatchObject({
    code: 'API_UNTRUSTED',
    message: expect.stringContaining('is not signed by the expected CA'),
  });
  expect(server?.requests).toHaveLength(1);
});

test.each([
  ['has expired', { days: -1 }],
  ['is made out to other names', { name: { type: 'dns', value: 'elsewhere.example' } }],
] as const)('a certificate that %s is distinguished', async (words, leaf) => {
  server = await startTestServer(await ca.issue(leaf), () => signed(kubeconfig));
  await expect(discoverAt(server.endpoint, {}, 5_000)).rejects.toMatchObject({
    code: 'API_UNTRUSTED',
    message: expect.stringContaining(words),
  });
});

test('a token that the cluster never signs for is unknown or expired', async () => {
  await expect(discover(() => clusterInfo({ kubeconfig }), {}, 1)).rejects.toMatchObject({
    code: 'TOKEN_INVALID',
    message: expect.stringContaining('never made there, or has expired'),
  });
});

test('a signature by another secret is forged, at once', async () => {
  const outcome = discover(() => signed(kubeconfig, 'abcdef.ffffffffffffffff'));
  await expect(outcome).rejects.toMatchObject({ code: 'CLUSTER_INFO_FORGED' });
  expect(server?.requests).toHaveLength(1);
});

test('a CA that is not pinned is refused before it is used', async () => {
  const { certificate } = await makeTestCa();
  await expect(discover(() => signed(kubeconfig), { caHashes: [pinOf(certificate)] })).rejects.toMatchObject({
    code: 'CA_NOT_PINNED',
  });
  expect(server?.requests).toHaveLength(1);
});

test('anyone who has the token and puts their own CA beside the pinned one is not taken for the cluster', async () => {
  const stranger = await makeTestCa();
  const forgery = clusterInfoKubeconfig(ADDRESS, `${ca.certificate}\n${stranger.certificate}`);
  server = await startTestServer(await stranger.issue(), () => signed(forgery));
  await expect(discoverAt(server.endpoint, {}, 5_000)).rejects.toMatchObject({ code: 'API_UNTRUSTED' });
  expect(server.requests).toHaveLength(1);
});

test('a CA beside the pinned one comes along once the pinned one has vouched for it', async () => {
  const next = await makeTestCa();
  const both = clusterInfoKubeconfig(ADDRESS, `${next.certificate}\n${ca.certificate}`);
  const found = await discover(() => signed(both));
  expect(found.caBundle).toContain(next.certificate.trim());
});

test('without a pin nothing is believed, unless the operator says so', async () => {
  await expect(discover(() => signed(kubeconfig), { caHashes: [] })).rejects.toMatchObject({ code: 'USAGE' });
  await server?.close();
  const found = await discover(() => signed(kubeconfig), { caHashes: [], skipCaVerification: true });
  expect(found.server).toBe(ADDRESS);
  expect(server?.requests).toHaveLength(1);
});

test.each([
  { caHashes: ['sha256:beef'] },
  { caHashes: ['md5:00'] },
  { caHashes: ['sha256'] },
  { endpoint: 'no-port' },
  { endpoint: 'https://host:6443' },
])('%j is refused before anyone is asked', async (wish) => {
  await expect(discover(() => signed(kubeconfig), wish)).rejects.toMatchObject({ code: 'USAGE' });
  expect(server?.requests).toEqual([]);
});

test('time that runs out brings the last cause along', async () => {
  const outcome = discover(() => ({ status: 404, body: {} }), {}, 1);
  await expect(outcome).rejects.toMatchObject({
    code: 'TIMED_OUT',
    message: expect.stringContaining('cluster-info'),
    cause: { code: 'API_NOT_FOUND' },
  });
});

test.each([
  [{ status: 403, body: {} }, 'does not allow anonymous access'],
  [{ status: 200, body: '<html>' }, 'is not a Kubernetes API'],
  [clusterInfo({}), 'has no CA'],
] as const)('%j says what is wrong', async (answer, words) => {
  await expect(discover(() => answer, {}, 1)).rejects.toMatchObject({
    code: 'TIMED_OUT',
    message: expect.stringContaining(words),
  });
});

test('no one there is not reachable', async () => {
  said = [];
  await expect(discoverAt('127.0.0.1:1', {}, 1)).rejects.toMatchObject({
    code: 'API_UNREACHABLE',
    message: 'Cannot reach the cluster at "127.0.0.1:1" (ECONNREFUSED)',
  });
  expect(said).toEqual([]);
});

test('anyone who does not answer is named while they are waited for', async () => {
  said = [];
  server = await startTestServer(pair, () => 'silence');
  const waiting = discoverByToken(
    { kind: 'token', token: TOKEN, endpoint: server.endpoint, caHashes: [], skipCaVerification: true },
    { limitMs: 60_000, say: (text) => said.push(text) },
    AbortSignal.timeout(1_300),
  );
  await expect(waiting).rejects.toMatchObject({ code: 'TIMED_OUT' });
  expect(said).toEqual([expect.stringContaining(`waiting for "${server.endpoint}" to answer, for `)]);
  // A timer may be a moment early, or late on a busy machine.
  expect(said[0]).toMatch(/for (?:5\d|60) s at most$/);
});

test('an interruption ends the waiting at once', async () => {
  server = await startTestServer(pair, () => 'silence');
  const discovery = {
    kind: 'token',
    token: TOKEN,
    endpoint: server.endpoint,
    caHashes: [],
    skipCaVerification: true,
  } as const;
  const patience = { limitMs: 60_000, say: () => {} };
  await expect(discoverByToken(discovery, patience, AbortSignal.timeout(100))).rejects.toMatchObject({
    code: 'TIMED_OUT',
  });
});

test('no failure tells the secret of the token', async () => {
  const answers = [
    signed(kubeconfig, 'abcdef.ffffffffffffffff'),
    clusterInfo({ kubeconfig }),
    { status: 500, body: {} },
  ];
  for (const answer of answers) {
    const failure: unknown = await discover(() => answer, {}, 1).catch((error: unknown) => error);
    await server?.close();
    expect(JSON.stringify([failure, String(failure), said])).not.toContain(SECRET);
  }
  server = undefined;
});
