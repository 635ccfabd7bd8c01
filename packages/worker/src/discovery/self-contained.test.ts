import { expect, test } from 'vitest';
import { selfContained } from './self-contained.ts';

const fetched = (cluster: object, user: object) => ({
  folder: undefined,
  text: JSON.stringify({
    'current-context': 'c',
    clusters: [{ name: 'k', cluster: { server: 'https://k:6443', ...cluster } }],
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
    users: [{ name: 'u', user }],
  }),
});

test.each([
  [{ 'certificate-authority': '/etc/shadow' }, {}],
  [{}, { tokenFile: '/etc/shadow' }],
  [{}, { 'client-key': 'C:\\key' }],
  [{}, { exec: { command: 'anything' } }],
])('what was fetched may name neither files nor programs of this machine: %j %j', async (cluster, user) => {
  await expect(selfContained(fetched(cluster, user))).rejects.toMatchObject({ code: 'KUBECONFIG_INVALID' });
});

test('what holds all it needs stays as it is', async () => {
  const text = await selfContained(fetched({ 'certificate-authority-data': 'QQ==' }, { token: 't', username: 'n' }));
  expect(JSON.parse(text)).toMatchObject({
    clusters: [{ cluster: { server: 'https://k:6443', 'certificate-authority-data': 'QQ==' } }],
    users: [{ user: { token: 't', username: 'n' } }],
  });
});
