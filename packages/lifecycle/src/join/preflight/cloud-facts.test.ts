import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { caHashOf, nodePath, type JoinToken } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLOUD_CERTIFICATE, CLOUD_KEY } from '../testing/cloud-certificate.ts';
import { gatherCloudFacts, type CloudFacts } from './cloud-facts.ts';

const { signal } = new AbortController();
const certificate = new X509Certificate(CLOUD_CERTIFICATE).raw;
const token: JoinToken = { caHash: caHashOf(certificate), jwt: 'j', claims: {} };

/** Answers as a cloud with one node does. */
const server: Server = createServer({ key: CLOUD_KEY, cert: CLOUD_CERTIFICATE }, ({ url = '' }, response) => {
  if (url === '/ca.crt') return response.end(certificate);
  if (url === nodePath('busy')) return response.writeHead(500).end();
  return response.writeHead(url === nodePath('press-7') ? 200 : 404).end();
});

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
});

afterAll(() => void server.close());

async function look(nodeName: string, changes: { host?: string; token?: JoinToken } = {}): Promise<CloudFacts> {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const endpoint = { host: changes.host ?? '127.0.0.1', port };
  const question = { cloud: { certificates: endpoint, hub: endpoint }, token: changes.token ?? token, nodeName };
  return gatherCloudFacts(question, signal);
}

test.each([
  ['press-7', 'taken'],
  ['press-8', 'free'],
  ['busy', 'unknown'],
])('the cloud is asked for its CA, its time and the node "%s": %s', async (nodeName, state) => {
  const { ca, hubProblem, node } = await look(nodeName);
  expect({ hubProblem, node }).toEqual({ hubProblem: undefined, node: state });
  if (ca instanceof OperatorError) throw ca;
  expect(ca.certificate).toEqual(certificate);
  expect(Math.abs((ca.cloudTime?.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
});

test("a cloud whose CA is not the token's is not asked for nodes", async () => {
  expect((await look('press-7', { token: { ...token, caHash: '00' } })).node).toBe('unknown');
});

test('a cloud at an address that its certificate does not have is not trusted', async () => {
  expect((await look('press-7', { host: 'localhost' })).node).toMatchObject({ code: 'HUB_UNTRUSTED' });
});

test('a cloud out of reach is named with host, port and reason', async () => {
  const nowhere = { host: '127.0.0.1', port: 1 };
  const { ca, hubProblem } = await gatherCloudFacts(
    { cloud: { certificates: nowhere, hub: nowhere }, token, nodeName: 'press-7' },
    signal,
  );
  for (const problem of [ca, hubProblem]) {
    expect(problem).toMatchObject({
      code: 'HUB_UNREACHABLE',
      message: 'Cannot reach the cloud at "127.0.0.1:1": nothing listens there',
      details: nowhere,
    });
  }
});

test('an operator who gives up while a silent cloud is asked gets no error that the cloud is out of reach', async () => {
  const silent = createTcpServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  const endpoint = { host: '127.0.0.1', port: typeof address === 'object' && address !== null ? address.port : 0 };
  const question = { cloud: { certificates: endpoint, hub: endpoint }, token, nodeName: 'press-7' };
  const giveUp = new AbortController();
  setTimeout(() => giveUp.abort(), 50);
  await expect(gatherCloudFacts(question, giveUp.signal)).rejects.toMatchObject({ code: 'INTERRUPTED' });
  silent.close();
});
