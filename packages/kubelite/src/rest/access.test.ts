import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCa, makeLeaf } from '../identity/certificates.ts';
import { startTestApi, type TestApi } from '../testing/test-api.ts';
import { testClient } from '../testing/test-client.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
let api: TestApi;

beforeAll(async () => void (api = await startTestApi()));
afterAll(() => api.stop());

test('anyone who shows nothing gets 401, and health is for everybody', async () => {
  const answer = await api.anonymous.send('GET', MAPS);
  expect([answer.status, answer.body['reason']]).toEqual([401, 'Unauthorized']);
  expect((await api.anonymous.send('GET', '/readyz')).text).toBe('ok');
});

test('a certificate of another CA gets 401', async () => {
  const subject = {
    commonName: 'x',
    organizations: ['system:masters'],
    usage: 'client',
    alternativeNames: [],
  } as const;
  const foreign = await makeLeaf(await makeCa('kubelite-ca', new Date()), subject, new Date());
  const client = testClient(api.kubelite.url, api.kubelite.caCertificate, foreign);
  expect((await client.send('GET', MAPS)).status).toBe(401);
  client.close();
});

test('a certificate that has ended gets 401', async () => {
  const past = new Date(Date.now() - 3 * 365 * 24 * 3600 * 1000);
  const subject = { commonName: 'x', organizations: [], usage: 'client', alternativeNames: [] } as const;
  const ended = await makeLeaf(api.context.identity.ca, subject, past);
  const client = testClient(api.kubelite.url, api.kubelite.caCertificate, ended);
  expect((await client.send('GET', MAPS)).status).toBe(401);
  client.close();
});

test('what the gatekeeper refuses is a 403 in the words of Kubernetes', async () => {
  const answer = await api.admin.send('GET', `${MAPS}/secret`);
  expect([answer.status, answer.body['message']]).toEqual([
    403,
    'configmaps "secret" is forbidden: User "tester" cannot get resource "configmaps" in API group "" in the namespace "default"',
  ]);
  const refused = await api.admin.send('POST', MAPS, { body: { metadata: { name: 'not-admitted' } } });
  expect([refused.status, refused.body['message']]).toEqual([
    403,
    'configmaps "not-admitted" is forbidden: not this one',
  ]);
});

test('no one can be someone else', async () => {
  for (const name of ['Impersonate-User', 'Impersonate-Group', 'Impersonate-Uid', 'Impersonate-Extra-a']) {
    const answer = await api.admin.send('GET', MAPS, { headers: { [name]: 'x' } });
    expect(answer.status).toBe(403);
  }
});

test('what is not an object is answered by the extensions, and the rest is 404', async () => {
  expect((await api.admin.send('GET', '/version')).body).toEqual({ major: '1' });
  expect((await api.admin.send('GET', '/nothing')).body['message']).toBe(
    'the server could not find the requested resource',
  );
});

test('each new connection shows its certificate again, also when it resumes a session', async () => {
  for (let n = 0; n < 3; n += 1) {
    const answer = await api.admin.send('GET', MAPS, { headers: { Connection: 'close' } });
    expect(answer.status).toBe(200);
  }
});
