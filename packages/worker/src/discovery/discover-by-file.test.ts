import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { discoverByFile, type FileDiscovery } from './discover-by-file.ts';
import { makeTestCa, type TestCa, type TestPair } from './testing/test-ca.ts';
import {
  clusterInfo,
  clusterInfoKubeconfig,
  startTestServer,
  type TestAnswer,
  type TestServer,
} from './testing/test-server.ts';

const { signal } = new AbortController();
const FORBIDDEN: TestAnswer = { status: 403, body: { kind: 'Status', code: 403, reason: 'Forbidden', message: 'no' } };
let folder: string;
let ca: TestCa;
let pair: TestPair;
let server: TestServer | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'discovery-'));
  ca = await makeTestCa();
  pair = await ca.issue();
  await writeFile(join(folder, 'ca.crt'), ca.certificate);
  await writeFile(join(folder, 'token'), 'from-a-file\n');
});
afterAll(async () => rm(folder, { recursive: true, force: true }));
afterEach(async () => {
  await server?.close();
  server = undefined;
});

interface Wish {
  readonly answer?: TestAnswer;
  readonly cluster?: Readonly<Record<string, unknown>>;
  readonly user?: Readonly<Record<string, unknown>>;
}

/** Writes a discovery file for a server of the test, and discovers by it. */
async function discover({ answer = FORBIDDEN, cluster, user }: Wish) {
  server ??= await startTestServer(pair, () => answer);
  const path = join(folder, 'discovery.conf');
  const entry = { server: `https://${server.endpoint}`, ...(cluster ?? { 'certificate-authority': 'ca.crt' }) };
  await writeFile(path, kubeconfig(entry, user));
  return by({ kind: 'file', path });
}

function kubeconfig(cluster: object, user: object | undefined): string {
  return JSON.stringify({
    'current-context': 'c',
    clusters: [{ name: 'k', cluster }],
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
    users: user === undefined ? [] : [{ name: 'u', user }],
  });
}

async function by(discovery: FileDiscovery) {
  return discoverByFile(discovery, { limitMs: 1, say: () => {} }, signal);
}

test('the files a kubeconfig names are put into it, and its credentials come along', async () => {
  const found = await discover({ user: { tokenFile: 'token' } });
  expect(found.caBundle).toBe(ca.certificate);
  expect(JSON.parse(found.kubeconfig ?? '')).toMatchObject({
    clusters: [{ cluster: { 'certificate-authority-data': Buffer.from(ca.certificate).toString('base64') } }],
    users: [{ user: { token: 'from-a-file' } }],
  });
  expect(server?.requests).toEqual([
    { line: 'GET /api/v1/namespaces/kube-public/configmaps/cluster-info', authorization: 'Bearer from-a-file' },
  ]);
});

test('a cluster that tells us nothing is believed to be the one in the file, with a word about it', async () => {
  const found = await discover({});
  expect(found).toMatchObject({ server: `https://${server?.endpoint}`, kubeconfig: undefined });
  expect(found.warnings).toEqual([expect.stringContaining('"cluster-info"')]);
});

test("a cluster at another address by its own word is warned of, and the file's address is used", async () => {
  const answer = clusterInfo({ kubeconfig: clusterInfoKubeconfig('https://elsewhere:6443', ca.certificate) });
  const found = await discover({ answer });
  expect(found.server).toBe(`https://${server?.endpoint}`);
  expect(found.warnings).toEqual([expect.stringContaining('https://elsewhere:6443')]);
});

test('a file without a CA does not get one by a connection that no one vouches for, even if it asks to', async () => {
  const answer = clusterInfo({ kubeconfig: clusterInfoKubeconfig('https://elsewhere:6443', ca.certificate) });
  const cluster = { 'insecure-skip-tls-verify': true };
  await expect(discover({ answer, cluster })).rejects.toMatchObject({ code: 'API_UNTRUSTED' });
});

test('a file of the kind that kubeadm writes, with one nameless cluster and no user, will do', async () => {
  server = await startTestServer(pair, () => FORBIDDEN);
  const path = join(folder, 'nameless.conf');
  await writeFile(path, clusterInfoKubeconfig(`https://${server.endpoint}`, ca.certificate));
  expect(await by({ kind: 'file', path })).toMatchObject({ caBundle: ca.certificate, kubeconfig: undefined });
});

test("a server whose certificate the file's CA does not vouch for is not trusted", async () => {
  server = await startTestServer(await (await makeTestCa()).issue(), () => FORBIDDEN);
  await expect(discover({})).rejects.toMatchObject({ code: 'API_UNTRUSTED' });
});

test('credentials that the cluster does not know are an error, not a warning', async () => {
  const answer = { status: 401, body: { kind: 'Status', code: 401, reason: 'Unauthorized', message: 'who?' } };
  await expect(discover({ answer, user: { token: 'old' } })).rejects.toMatchObject({
    code: 'TIMED_OUT',
    cause: { code: 'API_FORBIDDEN' },
  });
});

test.each([
  ['no YAML: {', 'it is not a kubeconfig'],
  ['{"clusters": []}', 'it names no cluster'],
])('a file that says %j is refused without quoting it', async (text, words) => {
  const path = join(folder, 'bad.conf');
  await writeFile(path, text);
  const failure = expect.objectContaining({
    code: 'KUBECONFIG_INVALID',
    message: `Cannot use the discovery file: ${words}`,
  });
  await expect(by({ kind: 'file', path })).rejects.toEqual(failure);
});

test('an absent file, and an absent file that it names, are reported with their paths', async () => {
  const path = join(folder, 'absent.conf');
  await expect(by({ kind: 'file', path })).rejects.toMatchObject({
    code: 'PATH_NOT_FOUND',
    message: expect.stringContaining(path),
  });
  await expect(discover({ cluster: { 'certificate-authority': 'gone.crt' } })).rejects.toMatchObject({
    code: 'PATH_NOT_FOUND',
    message: expect.stringContaining(join(folder, 'gone.crt')),
  });
});

test('plain HTTP is refused, and an address whose certificate no one vouches for is not trusted', async () => {
  await expect(by({ kind: 'url', url: 'http://user:pw@host/x' })).rejects.toMatchObject({
    code: 'USAGE',
    message: expect.not.stringContaining('pw'),
  });
  server = await startTestServer(pair, () => ({ status: 200, body: '' }));
  await expect(by({ kind: 'url', url: `https://${server.endpoint}/x` })).rejects.toMatchObject({
    code: 'API_UNTRUSTED',
  });
});
