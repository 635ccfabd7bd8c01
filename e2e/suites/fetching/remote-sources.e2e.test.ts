import { createServer, type IncomingMessage, request as forward } from 'node:http';
import { once } from 'node:events';
import { connect } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { type AgentSource, releaseSecrets, resolveAgentSource } from '@fenestra/releases';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { LOOPBACK_CERTIFICATE } from '@fenestra/kube-api/testing/loopback-certificate';
import { AGENT, ENVIRONMENT, releaseFiles, requestFor, TARGET, upstreamFiles } from './fetching-bed.ts';
import { portOf, type ReleaseServer, startReleaseServer } from '../../support/fetching/release-server.ts';

const { signal } = new AbortController();
vi.setConfig({ testTimeout: 30_000 });
afterAll(() => vi.resetConfig());
beforeAll(() => setDefaultCACertificates([...getCACertificates('default'), LOOPBACK_CERTIFICATE]));

function serve(server: ReleaseServer, folder: string, files: ReadonlyMap<string, Buffer>): void {
  for (const [name, content] of files) server.files.set(`${folder}${name}`, content);
}

test('a signed release may come by plain HTTP, and is found by version below its mirror', async () => {
  await using server = await startReleaseServer();
  serve(server, '/fenestra/v0.2.0/', releaseFiles('v0.2.0'));
  for (const from of [`${server.url}/fenestra/v0.2.0`, `${server.url}/fenestra/`]) {
    expect(await resolveAgentSource(requestFor(from, '0.2.0'), ENVIRONMENT, signal)).toMatchObject({
      origin: `${server.url}/fenestra/v0.2.0${from.endsWith('/') ? '/' : ''}`,
      location: `${server.url}/fenestra/v0.2.0/keadm-linux`,
      version: 'v0.2.0',
      signed: true,
    });
  }
});

test('an unsigned release must come by HTTPS', async () => {
  await using plain = await startReleaseServer();
  await using secure = await startReleaseServer('https');
  for (const server of [plain, secure]) serve(server, '/', releaseFiles('v0.2.0', false));
  await expect(
    resolveAgentSource({ ...requestFor(plain.url), trustKeys: [] }, ENVIRONMENT, signal),
  ).rejects.toMatchObject({
    code: 'RELEASE_UNTRUSTED',
  });
  expect(await resolveAgentSource({ ...requestFor(secure.url), trustKeys: [] }, ENVIRONMENT, signal)).toMatchObject({
    signed: false,
  });
  await expect(resolveAgentSource(requestFor(secure.url), ENVIRONMENT, signal)).rejects.toMatchObject({
    code: 'RELEASE_UNTRUSTED',
  });
});

async function resolveUpstream(from: string): Promise<AgentSource> {
  return resolveAgentSource(requestFor(from, 'v1.23.0'), ENVIRONMENT, signal);
}

test("upstream's releases come by HTTPS alone, not even by a redirect to plain HTTP", async () => {
  await using plain = await startReleaseServer();
  await using secure = await startReleaseServer('https');
  const files = await upstreamFiles('v1.23.0');
  for (const server of [plain, secure]) serve(server, '/download/v1.23.0/', files);
  const [tarball = ''] = files.keys();
  for (const from of ['/download', '/download/v1.23.0/', `/download/v1.23.0/${tarball}`]) {
    expect(await resolveUpstream(`${secure.url}${from}`)).toMatchObject({
      kind: 'upstream',
      location: `${secure.url}/download/v1.23.0/${tarball}`,
      size: files.get(tarball)?.length,
    });
  }
  await expect(resolveUpstream(`${plain.url}/download/v1.23.0/${tarball}`)).rejects.toMatchObject({
    code: 'RELEASE_UNTRUSTED',
  });
  const [, checksum = ''] = files.keys();
  secure.treatments.set(`/moved/${checksum}`, { redirectTo: `${plain.url}/download/v1.23.0/${checksum}` });
  await expect(resolveUpstream(`${secure.url}/moved/${tarball}`)).rejects.toMatchObject({ code: 'RELEASE_UNTRUSTED' });
});

test('what is not there is named with its version; a busy server is asked again', async () => {
  await using server = await startReleaseServer();
  await expect(resolveAgentSource(requestFor(server.url, 'v0.2.0'), ENVIRONMENT, signal)).rejects.toMatchObject({
    code: 'RELEASE_INVALID',
    message: expect.stringContaining('v0.2.0'),
  });
  serve(server, '/', releaseFiles('v0.2.0'));
  server.treatments.set('/release.json', { statuses: [503] });
  server.requests.length = 0;
  expect(await resolveAgentSource(requestFor(server.url), ENVIRONMENT, signal)).toMatchObject({ version: 'v0.2.0' });
  expect(server.requests.filter((line) => line === 'GET /release.json')).toHaveLength(2);
});

test('a page that is not a manifest is refused', async () => {
  await using server = await startReleaseServer('https');
  server.files.set('/release.json', Buffer.from('<html>Welcome</html>'));
  const request = { ...requestFor(server.url), trustKeys: [] };
  await expect(resolveAgentSource(request, ENVIRONMENT, signal)).rejects.toMatchObject({ code: 'RELEASE_INVALID' });
});

test('credentials are sent to the named server alone, and are nowhere in the source', async () => {
  await using server = await startReleaseServer();
  await using other = await startReleaseServer();
  serve(server, '/', releaseFiles('v0.2.0'));
  serve(other, '/', releaseFiles('v0.2.0'));
  server.treatments.set('/release.json', { redirectTo: `${other.url}/release.json` });
  const from = server.url.replace('//', '//anna:p%40ss@');
  const source = await resolveAgentSource(requestFor(from), ENVIRONMENT, signal);
  expect(releaseSecrets(from)).toEqual(new Map([['release-credentials', 'anna:p@ss']]));
  expect(source.credentials).toBe('release-credentials');
  expect(JSON.stringify(source)).not.toMatch(/anna|ss@|%40/);
  expect(server.requests).toContain(`GET /release.json Basic ${Buffer.from('anna:p@ss').toString('base64')}`);
  expect(other.requests).toContain('GET /release.json');
});

test('a certificate that no one vouches for is final, and the hint says how to vouch for it', async () => {
  await using server = await startReleaseServer('https');
  const trusted = getCACertificates('default');
  setDefaultCACertificates(trusted.filter((certificate) => certificate.trim() !== LOOPBACK_CERTIFICATE.trim()));
  try {
    await expect(resolveAgentSource(requestFor(server.url), ENVIRONMENT, signal)).rejects.toMatchObject({
      code: 'DOWNLOAD_FAILED',
      hint: expect.stringContaining('KEADM_CA_FILE'),
    });
  } finally {
    setDefaultCACertificates(trusted);
  }
});

/** A proxy that forwards plain requests and opens tunnels, and remembers what it was asked for. */
async function startProxy(): Promise<AsyncDisposable & { readonly url: string; readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const onward = forward(request.url ?? '', { method: request.method ?? 'GET', headers: request.headers });
    onward.on('response', (answer: IncomingMessage) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.end();
  });
  server.on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    const [host = '', port = ''] = (request.url ?? '').split(':');
    const onward = connect(Number(port), host, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    onward.pipe(socket).pipe(onward);
    onward.on('error', () => {}).on('close', () => socket.destroy());
    socket.on('error', () => {}).on('close', () => onward.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  };
  return { url: `http://127.0.0.1:${portOf(server)}`, asked, [Symbol.asyncDispose]: close };
}

test.each(['http', 'https'] as const)('a proxy that the environment names is used for %s', async (protocol) => {
  await using server = await startReleaseServer(protocol);
  await using proxy = await startProxy();
  serve(server, '/', releaseFiles('v0.2.0'));
  const resolve = async (variables: NodeJS.ProcessEnv) =>
    resolveAgentSource(requestFor(server.url), { ...ENVIRONMENT, variables }, signal);
  expect(await resolve({ [`${protocol.toUpperCase()}_PROXY`]: proxy.url })).toMatchObject({
    size: AGENT.length,
    target: TARGET,
  });
  expect(proxy.asked[0]).toContain(server.url.replace(/.*\/\//, ''));
  const before = proxy.asked.length;
  await resolve({ [`${protocol}_proxy`]: proxy.url, NO_PROXY: '127.0.0.1' });
  expect(proxy.asked).toHaveLength(before);
});
