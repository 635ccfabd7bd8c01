import { OperatorError } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import type { Batch } from './batch.ts';
import { parseBatch } from './load-batch.ts';

/** What KubeEdge's own batch command does wrong with its file, by the numbers of our table of findings. */
const load = async (text: string): Promise<Batch> =>
  parseBatch({ text, path: 'config.yaml', readableByOthers: false }, { variables: { SSH_AUTH_SOCK: '/agent' } });

async function problemsOf(text: string): Promise<string> {
  const error: unknown = await load(text).catch((cause: unknown) => cause);
  return error instanceof OperatorError && error.code === 'CONFIG_INVALID' ? error.message : 'no error';
}

/** KubeEdge's own example, with the empty texts its generator writes. */
const UPSTREAM = `keadm:
  download:
    enable: true
    url: ""
  keadmVersion: v1.23.1
  archGroup:
    - amd64
  offlinePackageDir: ""
  cmdTplArgs:
    cmd: join --cgroupdriver=cgroupfs --cloudcore-ipport=192.168.1.102:10000 --hub-protocol=websocket
    token: xxx
nodes:
  - nodeName: ubuntu1
    arch: amd64
    keadmCmd: '{{.cmd}} --edgenode-name=containerd-node1 --token={{.token}}'
    copyFrom: ""
    ssh:
      ip: 192.168.1.103
      username: root
      port: 22
      auth:
        type: password
        passwordAuth:
          password: secret
  - nodeName: ubuntu2
    keadmCmd: 'reset --force'
    ssh:
      ip: 192.168.1.104
      username: root
      auth:
        type: password
        passwordAuth:
          password: secret
maxRunNum: 5
`;

test("KubeEdge's own file works as it stands", async () => {
  const { nodes, policy } = await load(UPSTREAM);
  expect(policy.budgets.connections).toBe(5);
  expect(nodes.map(({ shownCommand }) => shownCommand.join(' '))).toEqual([
    'join --cgroupdriver=cgroupfs --cloudcore-ipport=192.168.1.102:10000 --hub-protocol=websocket --edgenode-name=containerd-node1 --token=***',
    'reset --force',
  ]);
});

test('9: an empty file is reported as empty', async () => {
  expect(await problemsOf('')).toContain('config.yaml:1 is empty');
});

test('10: what is missing is found before anything happens', async () => {
  const text = 'keadm: { download: { url: "https://x.example" } }\nnodes: [{ nodeName: a, keadmCmd: join, ssh: {} }]';
  const problems = await problemsOf(text);
  for (const path of ['keadm.keadmVersion', 'nodes[0].ssh.ip', 'nodes[0].ssh.username']) {
    expect(problems).toContain(`${path}: must be given`);
  }
  expect(await problemsOf('keadm: { archGroup: [x86] }')).toContain('keadm.archGroup[0]: must be "amd64" or');
});

test('11: a wildcard that is not defined is an error, and nothing is ever read by a shell', async () => {
  expect(await problemsOf(UPSTREAM.replace('{{.token}}', '{{.tocken}}'))).toContain(
    'config.yaml:15 nodes[0].keadmCmd: uses the undefined wildcard "tocken"; did you mean "token"?',
  );
  expect(await problemsOf(UPSTREAM.replace('{{.token}}', '<no value>'))).toContain(
    'holds "<", but the command is not interpreted by a shell',
  );
});

test('12 and 13: an empty url and an empty copyFrom mean that none is given', async () => {
  const { keadm, nodes } = await load(UPSTREAM);
  expect([keadm.kind, nodes[0]?.copyFrom]).toEqual(['own', undefined]);
});

test.each([-1, 0, 1e9])('16: a maxRunNum of %d is refused', async (number) => {
  expect(await problemsOf(UPSTREAM.replace('maxRunNum: 5', `maxRunNum: ${number}`))).toContain('maxRunNum: must be at');
});

test('19: several ways to log in, defaults for all, jump hosts, and passwords that are not in the file', async () => {
  const { nodes } = await load(`defaults:
  keadmCmd: reset --force
  ssh:
    username: root
    auth: [{ type: agent }, { type: keyboard-interactive, keyboardInteractiveAuth: { answer: env:X } }]
    jump: { ip: 192.0.2.1 }
nodes: [{ nodeName: a, ssh: { ip: 192.0.2.2 } }]`);
  expect(nodes).toHaveLength(1);
  await expect(nodes[0]?.target(new AbortController().signal)).rejects.toMatchObject({ code: 'SECRET_UNAVAILABLE' });
});

test('19: a password below privateKeyAuth is reported with its right place', async () => {
  const text = 'nodes: [{ ssh: { auth: { type: privateKey, privateKeyAuth: { password: x } } } }]';
  expect(await problemsOf(text)).toContain('nodes[0].ssh.auth.privateKeyAuth.password: unknown key');
});

test.each(['2001:db8::7', '[2001:db8::7]'])('20: the IPv6 address %s is taken', async (ip) => {
  const { nodes } = await load(`nodes: [{ nodeName: a, keadmCmd: reset, ssh: { ip: "${ip}", username: u } }]`);
  expect(await nodes[0]?.target(new AbortController().signal)).toMatchObject({ host: '2001:db8::7', port: 22 });
});
