import { X509Certificate } from 'node:crypto';
import { connect } from 'node:tls';
import { parseJoinToken, type KeyUsage } from '@fenestra/contracts';
import { jsonLogger } from '@fenestra/platform';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openRevocations, signJoinToken } from '@fenestra/lifecycle/cloud';
import { certificateRequest, type RequestOptions } from '../testing/certificate-request.ts';
import { httpsRequest, type TestAnswer } from '../testing/https-request.ts';
import { memorySecrets, type MemorySecrets } from '../testing/memory-secrets.ts';
import { nodeCredentials, testAuthority, type TestAuthority } from '../testing/test-cloud.ts';
import { attemptLimit } from './attempt-limit.ts';
import { startCertificateServer, type SecureServer } from './certificate-server.ts';

const HOUR = 60 * 60 * 1000;
const { signal } = new AbortController();

let cloud: TestAuthority;
let server: SecureServer;
let store: MemorySecrets;
let attempts = attemptLimit({ burst: 0, perMinute: 0, keys: 0, now: () => 0 });
const lines: string[] = [];
const left: string[] = [];

beforeAll(async () => {
  cloud = await testAuthority();
  store = memorySecrets();
  const log = jsonLogger(
    (line) => lines.push(line),
    'debug',
    () => new Date(),
  );
  const issuer = {
    authority: cloud.authority,
    store,
    now: () => new Date(),
    days: () => 365,
    isCloudName: (name: string) => name === 'edge-cloud',
    hasJoined: async (name: string) => {
      if (name === 'slow') await delay(200);
      return name === 'there' || name === 'slow';
    },
  };
  server = await startCertificateServer({
    address: '127.0.0.1',
    port: 0,
    certificate: cloud.certificate,
    log,
    endpoints: {
      issuer,
      leave: async (node: string) => {
        left.push(node);
        if (node === 'replaced') return 'in use';
        return node === 'kept' ? 'marked' : 'removed';
      },
      attempts: {
        isExceeded: (key) => attempts.isExceeded(key),
        count: (key, weight) => attempts.count(key, weight),
      },
      log,
      counts: { issued: 0, refused: 0 },
    },
  });
});

beforeEach(() => {
  store.secrets.clear();
  attempts = attemptLimit({ burst: 20, perMinute: 0, keys: 1_000, now: () => performance.now() });
});

afterAll(async () => server.close());

test('GET /ca.crt gives the CA in DER, which hashes to the first part of the token', async () => {
  const { status, body } = await httpsRequest({ port: server.port, path: '/ca.crt' });
  expect(status).toBe(200);
  expect(body.equals(cloud.authority.certificate)).toBe(true);
});

test('requests that a client sends without waiting for the answers are all answered', async () => {
  const socket = connect({ port: server.port, rejectUnauthorized: false });
  const body = 'x'.repeat(10_000);
  const count = 150;
  const request = `GET /ca.crt HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  socket.write(`GET /node/slow HTTP/1.1\r\nHost: a\r\n\r\n${request.repeat(count)}`);
  let answers = 0;
  for await (const chunk of socket) {
    answers += String(chunk).split('200 OK').length - 1;
    if (answers === count) break;
  }
  expect(answers).toBe(count);
});

test('a token gets a certificate for the name in the request, with the validity and use upstream gives', async () => {
  const { status, body } = await ask('edge-1', { bearer: await token() });
  expect(status).toBe(200);
  const certificate = new X509Certificate(body);
  expect(certificate.subject).toBe('O=system:nodes\nCN=system:node:edge-1');
  expect(certificate.verify(new X509Certificate(cloud.authority.certificate).publicKey)).toBe(true);
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
  expect(Math.round((certificate.validToDate.getTime() - Date.now()) / HOUR)).toBe(365 * 24);
  expect(certificate.validFromDate.getTime()).toBeLessThan(Date.now() - 59 * 60 * 1000);
});

test("a node that is called like the cloud gets a certificate as a client, none to serve under the cloud's name", async () => {
  const alternativeNames = [{ type: 'dns', value: 'edge-cloud' } as const];
  const headers = { ExtKeyUsages: '[1,2]' };
  expect((await ask('edge-cloud', { bearer: await token(), headers })).status).toBe(403);
  expect((await ask('edge-cloud', { bearer: await token(), request: { alternativeNames } })).status).toBe(403);
  expect((await ask('edge-cloud', { bearer: await token() })).status).toBe(200);
});

test('certificates never share a serial number', async () => {
  const bearer = await token();
  const answers = await Promise.all([ask('edge-1', { bearer }), ask('edge-1', { bearer })]);
  const serials = new Set(answers.map(({ body }) => new X509Certificate(body).serialNumber));
  expect(serials.size).toBe(2);
});

test.each<[string, RequestOptions, RegExp]>([
  ['for another node', { commonName: 'system:node:edge-2' }, /common name is not "system:node:edge-1"/],
  ['for a group of administrators', { organizations: ['system:masters'] }, /organization is not "system:nodes"/],
  ['for two groups', { organizations: ['system:nodes', 'system:masters'] }, /organization is not/],
  [
    "for the cloud's address",
    { alternativeNames: [{ type: 'ip', value: '10.0.0.1' }] },
    /no certificate for "10.0.0.1"/,
  ],
  ["for the cloud's name", { alternativeNames: [{ type: 'dns', value: 'cloud.example' }] }, /"cloud.example"/],
])('a request %s is refused with 403', async (_what, options, reason) => {
  const answer = await ask('edge-1', { bearer: await token(), request: options });
  expect(answer.status).toBe(403);
  expect(answer.body.toString()).toMatch(reason);
});

test("a request for a local server's certificate is granted", async () => {
  const alternativeNames = [{ type: 'ip', value: '127.0.0.1' } as const, { type: 'dns', value: 'edge-1' } as const];
  const headers = { ExtKeyUsages: '[1,2]' };
  const { body } = await ask('edge-1', { bearer: await token(), request: { alternativeNames }, headers });
  const certificate = new X509Certificate(body);
  expect(certificate.subjectAltName).toBe('IP Address:127.0.0.1, DNS:edge-1');
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
});

test('a weak key is refused', async () => {
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 1024,
    publicExponent: new Uint8Array([1, 0, 1]),
  };
  const answer = await ask('edge-1', { bearer: await token(), request: { algorithm } });
  expect(answer.status).toBe(403);
  expect(answer.body.toString()).toContain('fewer than 2048 bits');
});

test.each([
  ['an expired token', async () => token({ expiresAt: Date.now() - HOUR }), /has expired/],
  ['a token of another cloud', async () => tokenOf(await testAuthority()), /this cloud has not made it/],
  ['a token for another node', async () => token({ node: 'edge-2' }), /not for "edge-1"/],
  ['no token at all', async () => undefined, /neither a join token nor a valid certificate/],
  ['garbage', async () => 'some.thing.nonsensical', /this cloud has not made it/],
])('%s is refused with 401, and no token is ever logged', async (_what, bearer, reason) => {
  const sent = await bearer();
  const answer = await ask('edge-1', { bearer: sent });
  expect(answer.status).toBe(401);
  expect(answer.body.toString()).toMatch(reason);
  if (sent !== undefined) expect(lines.join('')).not.toContain(sent.split('.')[2]);
});

test('a clock that is behind a little does no harm: a token that ended just now still counts', async () => {
  expect((await ask('edge-1', { bearer: await token({ expiresAt: Date.now() - 30_000 }) })).status).toBe(200);
});

test('a single-use token counts for one key only, and may come again with that one', async () => {
  const bearer = await token({ node: 'edge-1', id: 'only-once' });
  const { csr } = await certificateRequest('edge-1');
  const headers = { NodeName: 'edge-1', Authorization: `Bearer ${bearer}` };
  const first = await httpsRequest({ port: server.port, path: '/edge.crt', headers, body: csr });
  const repeated = await httpsRequest({ port: server.port, path: '/edge.crt', headers, body: csr });
  const other = await ask('edge-1', { bearer });
  expect([first.status, repeated.status, other.status]).toEqual([200, 200, 401]);
  expect(other.body.toString()).toContain('only once');
});

test('a single-use token is not used up by a request that is refused', async () => {
  const bearer = await token({ node: 'edge-1', id: 'kept' });
  expect((await ask('edge-1', { bearer, request: { commonName: 'root' } })).status).toBe(403);
  expect((await ask('edge-1', { bearer })).status).toBe(200);
});

test('a certificate renews itself and no one else', async () => {
  const credentials = await nodeCredentials(cloud, 'edge-1');
  expect((await ask('edge-1', { credentials })).status).toBe(200);
  const other = await ask('edge-2', { credentials });
  expect(other.status).toBe(401);
  expect(other.body.toString()).toContain('not that of "edge-2"');
});

test('an expired certificate heals itself with a valid token, and only so', async () => {
  const credentials = await nodeCredentials(cloud, 'edge-1', -0.001);
  expect((await ask('edge-1', { credentials })).status).toBe(401);
  expect((await ask('edge-1', { credentials, bearer: await token() })).status).toBe(200);
});

test.each(['', 'UPPER', '../etc', 'a b', 'x'.repeat(300)])('the node name %j is refused', async (name) => {
  const { csr } = await certificateRequest('edge-1');
  const headers = { NodeName: name, Authorization: `Bearer ${await token()}` };
  const { status } = await httpsRequest({ port: server.port, path: '/edge.crt', headers, body: csr });
  expect(status).toBe(403);
});

test('a request that is too large is not read', async () => {
  const body = Buffer.alloc(3 * 1024 * 1024);
  const headers = { NodeName: 'edge-1', Authorization: `Bearer ${await token()}` };
  // The server may be done before the client has sent everything.
  const answer = await httpsRequest({ port: server.port, path: '/edge.crt', headers, body }).catch(() => undefined);
  if (answer !== undefined) expect(answer.status).toBe(403);
  expect((await ask('edge-1', { bearer: await token() })).status).toBe(200);
});

test('GET /node/NAME shows whether a node exists, as upstream says it', async () => {
  const there = await httpsRequest({ port: server.port, path: '/node/there' });
  const absent = await httpsRequest({ port: server.port, path: '/node/absent' });
  expect([there.status, there.body.toString()]).toEqual([200, 'Node founded']);
  expect(absent.status).toBe(404);
});

test('an address that fails again and again without a proof has to wait; its neighbours with one do not', async () => {
  for (let index = 0; index < 22; index += 1) await ask('edge-1', { bearer: 'a.b.c' });
  expect((await ask('edge-1', { bearer: 'a.b.c' })).status).toBe(429);
  expect((await ask('edge-1', {})).status).toBe(429);
  expect((await httpsRequest({ port: server.port, path: '/node/there' })).status).toBe(429);
  expect((await httpsRequest({ port: server.port, path: '/ca.crt' })).status).toBe(200);
  expect((await ask('edge-1', { bearer: await token() })).status).toBe(200);
  expect((await ask('edge-1', { credentials: await nodeCredentials(cloud, 'edge-1') })).status).toBe(200);
});

test('a node that fails again and again with a good token has to wait; others with the same token do not', async () => {
  const bearer = await token();
  const bad = { bearer, request: { commonName: 'root' } };
  for (let index = 0; index < 20; index += 1) expect((await ask('edge-1', bad)).status).toBe(403);
  expect((await ask('edge-1', { bearer })).status).toBe(429);
  expect((await ask('edge-2', { bearer })).status).toBe(200);
  expect((await ask('edge-1', { bearer: await token({ node: 'edge-1' }) })).status).toBe(200);
});

test('a token that fails for ever new names runs out of attempts, too', async () => {
  const bearer = await token();
  for (let index = 0; index < 200; index += 1) await ask(`edge-${index}`, { bearer, request: { commonName: 'root' } });
  expect((await ask('another', { bearer })).status).toBe(429);
});

test('a certificate names the node and nothing else of what the request says', async () => {
  const subject = [{ C: ['CN'] }, { ST: ['Zhejiang'] }, { OU: ['administrators'] }, { '2.5.4.65': ['pseudonym'] }];
  const { status, body } = await ask('edge-1', { bearer: await token(), request: { subject } });
  expect(status).toBe(200);
  expect(new X509Certificate(body).subject).toBe('O=system:nodes\nCN=system:node:edge-1');
});

test.each<[string, readonly KeyUsage[]]>([
  ['no key usage', []],
  ['the usage of a server alone', ['serverAuth']],
])('a certificate with %s proves nothing', async (_what, usages) => {
  const credentials = await nodeCredentials(cloud, 'edge-1', 1, new Date(), usages);
  const answer = await ask('edge-1', { credentials });
  expect(answer.status).toBe(401);
});

test('a shared token does not get the name of a node that has joined, a token for that node does', async () => {
  const taken = await ask('there', { bearer: await token() });
  expect([taken.status, taken.body.toString()]).toEqual([403, expect.stringContaining('a node "there" has joined')]);
  expect((await ask('there', { bearer: await token({ node: 'there', id: 'replace' }) })).status).toBe(200);
});

test('the machine that has the node, known by its certificate, rejoins with a shared token; others do not', async () => {
  const bearer = await token();
  const [own, expired, other, foreign] = await Promise.all([
    nodeCredentials(cloud, 'there'),
    nodeCredentials(cloud, 'there', -0.001),
    nodeCredentials(cloud, 'edge-1'),
    nodeCredentials(await testAuthority(), 'there'),
  ]);
  for (const credentials of [own, expired]) expect((await ask('there', { bearer, credentials })).status).toBe(200);
  for (const credentials of [other, foreign]) expect((await ask('there', { bearer, credentials })).status).toBe(403);
});

test('a refused shared token of one use is not used up by a name that is taken', async () => {
  const bearer = await token({ id: 'any-name' });
  expect((await ask('there', { bearer })).status).toBe(403);
  expect((await ask('edge-1', { bearer })).status).toBe(200);
});

test('a revoked node can neither renew nor join again by any token made before', async () => {
  const node = 'stolen';
  const credentials = await nodeCredentials(cloud, node);
  const before = [await token(), await token({ node }), await token({ node, id: 'kept-by-the-thief' })];
  await openRevocations(store).revoke(node, { now: new Date() }, signal);
  const answers = [
    await ask(node, { credentials }),
    ...(await Promise.all(before.map(async (bearer) => ask(node, { bearer, credentials })))),
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  expect(answers[0]?.body.toString()).toContain('revoked node "stolen"');
});

test('a re-admitted node renews its new certificates; its old ones stay revoked', async () => {
  const node = 'found';
  const old = await nodeCredentials(cloud, node);
  const revocations = openRevocations(store);
  await revocations.revoke(node, { now: new Date() }, signal);
  const revocation = (await revocations.find(node, signal))?.id ?? '';
  const bearer = await token({ node, id: 'admitted', revocation });
  expect((await ask('edge-1', { bearer })).status).toBe(401);
  const first = await obtain(node, { bearer });
  const second = await obtain(node, { credentials: first });
  const third = await obtain(node, { credentials: second });
  expect(third.cert).toContain('BEGIN CERTIFICATE');
  expect((await ask(node, { credentials: old })).status).toBe(403);
  await revocations.revoke(node, { now: new Date() }, signal);
  expect((await ask(node, { credentials: third })).status).toBe(403);
  expect((await ask(node, { bearer: await token({ node, id: 'again', revocation }) })).status).toBe(403);
});

test('a re-admitted node keeps the certificate in use, however often its renewal fails', async () => {
  const node = 'retrying';
  const revocations = openRevocations(store);
  await revocations.revoke(node, { now: new Date() }, signal);
  const revocation = (await revocations.find(node, signal))?.id ?? '';
  const inUse = await obtain(node, { bearer: await token({ node, id: 'retries', revocation }) });
  for (let tries = 0; tries < 8; tries += 1) await obtain(node, { credentials: inUse });
  const renewed = await obtain(node, { credentials: inUse });
  for (let tries = 0; tries < 8; tries += 1) await obtain(node, { credentials: renewed });
  expect((await revocations.find(node, signal))?.acceptedKeys).toHaveLength(5);
  expect((await ask(node, { credentials: inUse })).status).toBe(403);
});

test('a join with a token for a name ends what was issued for the name before', async () => {
  const node = 'claimed';
  const thief = await obtain(node, { bearer: await token() });
  const owner = await obtain(node, { bearer: await token({ node, id: 'owner' }) });
  expect((await ask(node, { credentials: thief })).status).toBe(403);
  expect((await ask('edge-1', { bearer: await token(), credentials: thief })).status).toBe(200);
  expect((await leave(node, thief)).status).toBe(409);
  let inUse = owner;
  for (let renewals = 0; renewals < 3; renewals += 1) inUse = await obtain(node, { credentials: inUse });
  expect((await ask(node, { credentials: owner })).status).toBe(403);
  for (let tries = 0; tries < 8; tries += 1) await obtain(node, { credentials: inUse });
  expect((await ask(node, { credentials: inUse })).status).toBe(200);
});

test('of a node that was replaced, the old machine has no claim on the name any more', async () => {
  const node = 'there';
  const old = await obtain(node, { bearer: await token({ node, id: 'old-machine' }) });
  const present = await obtain(node, { bearer: await token({ node, id: 'new-machine' }) });
  const bearer = await token();
  expect((await ask(node, { bearer, credentials: old })).status).toBe(403);
  const rejoined = await obtain(node, { bearer, credentials: present });
  for (const credentials of [present, rejoined]) expect((await ask(node, { credentials })).status).toBe(200);
});

test('a node that joined before keys were kept, or with a shared token, renews as before', async () => {
  const shared = await obtain('unclaimed', { bearer: await token() });
  const renewed = await obtain('unclaimed', { credentials: shared });
  for (const credentials of [shared, renewed]) expect((await ask('unclaimed', { credentials })).status).toBe(200);
});

test('DELETE /node/NAME: only the node itself leaves, by a certificate that is valid and not revoked', async () => {
  const [own, other, expired, kept, revoked] = await Promise.all([
    nodeCredentials(cloud, 'leaver'),
    nodeCredentials(cloud, 'edge-1'),
    nodeCredentials(cloud, 'leaver', -0.001),
    nodeCredentials(cloud, 'kept'),
    nodeCredentials(cloud, 'revoked'),
  ]);
  await openRevocations(store).revoke('revoked', { now: new Date() }, signal);
  expect((await leave('leaver', undefined)).status).toBe(403);
  expect((await leave('leaver', other)).status).toBe(403);
  expect((await leave('leaver', expired)).status).toBe(403);
  expect((await leave('revoked', revoked)).status).toBe(403);
  expect(left).toEqual([]);
  expect((await leave('leaver', own)).status).toBe(204);
  expect((await leave('kept', kept)).status).toBe(202);
  const refused = await leave('replaced', await nodeCredentials(cloud, 'replaced'));
  expect([refused.status, refused.body.toString()]).toEqual([409, expect.stringContaining('Another machine')]);
  expect(left).toEqual(['leaver', 'kept', 'replaced']);
});

async function leave(node: string, credentials: Ask['credentials']): Promise<TestAnswer> {
  const { cert, key } = credentials ?? {};
  const identity = cert === undefined || key === undefined ? {} : { cert, key };
  return httpsRequest({ port: server.port, path: `/node/${node}`, method: 'DELETE', ...identity });
}

/** Gets a certificate and keeps its key. */
async function obtain(node: string, { bearer, credentials }: Ask): Promise<{ cert: string; key: string }> {
  const { csr, key } = await certificateRequest(node);
  const { status, body } = await httpsRequest({
    port: server.port,
    path: '/edge.crt',
    ...(credentials === undefined ? {} : { cert: credentials.cert, key: credentials.key }),
    headers: { NodeName: node, ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }) },
    body: csr,
  });
  expect(status).toBe(200);
  return { cert: new X509Certificate(body).toString(), key };
}

interface Ask {
  readonly bearer?: string | undefined;
  readonly request?: RequestOptions;
  readonly headers?: Readonly<Record<string, string>>;
  readonly credentials?: { readonly cert: string; readonly key: string };
}

async function ask(node: string, { bearer, request, headers, credentials }: Ask): Promise<TestAnswer> {
  const { csr } = await certificateRequest(node, request);
  const authorization = bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` };
  return httpsRequest({
    port: server.port,
    path: '/edge.crt',
    ca: cloud.authority.pem,
    ...(credentials === undefined ? {} : { cert: credentials.cert, key: credentials.key }),
    headers: { NodeName: node, ...authorization, ...headers },
    body: csr,
  });
}

async function token(
  claims: { expiresAt?: number; node?: string; id?: string; revocation?: string } = {},
): Promise<string> {
  return tokenOf(cloud, claims);
}

async function tokenOf({ authority }: TestAuthority, claims = {}): Promise<string> {
  return parseJoinToken(await signJoinToken(authority, { expiresAt: Date.now() + HOUR, ...claims })).jwt;
}
