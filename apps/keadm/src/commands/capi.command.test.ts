import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keadmInMemory } from '../testing/keadm-in-memory.ts';

const TOKEN = 'abcdef.0123456789abcdef';
const HASH = `sha256:${'a'.repeat(64)}`;
const CONFIG = `apiVersion: bootstrap.cluster.x-k8s.io/v1beta2
kind: KubeadmConfig
metadata: {name: win}
spec:
  preKubeadmCommands: ['dir']
`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'capi-'));
});
afterEach(async () => rm(folder, { recursive: true, force: true }));

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

const capi = async (...args: readonly string[]) => keadmInMemory('capi', ...args);

test('lint says what happens, what is wrong where, and what to do', async () => {
  const path = await file('user-data', '#cloud-config\nbootcmd: [dir]\nruncmd: [dir]\n');
  const { exitCode, out } = await capi('lint', path);
  expect(exitCode).toBe(120);
  expect(out).toContain(`${path}: a cloud-config (cloudbase-init 1.1.4)\n`);
  expect(out).toContain('  does    line 3, runcmd: 1 command(s) run once');
  expect(out).toContain('  drops   line 2, bootcmd: ignored');
  expect(out).toContain(`  error   ${path}:2 bootcmd: "bootcmd" is ignored [key-dropped]\n`);
  expect(out.trimEnd().endsWith('1 error(s), 0 warning(s), 0 note(s)')).toBe(true);
});

test.each([
  ['#cloud-config\nruncmd: [dir]\n', 0, 'none'],
  ['#cloud-config\nruncmd: [dir, cd]\n', 121, 'warning'],
  ['#cloud-config\nruncmd: dir\n', 120, 'error'],
  ['#ps1\nexit 5\n', 0, 'note'],
])('lint of %j ends with %i', async (text, exitCode, worst) => {
  const answer = await capi('lint', await file('user-data', text), '--output', 'json');
  expect(answer.exitCode).toBe(exitCode);
  expect(JSON.parse(answer.out)).toMatchObject({ cloudbaseInit: '1.1.4', worst, documents: [{ origin: 'user-data' }] });
});

test('lint takes a KubeadmConfig, and reports its lines', async () => {
  const path = await file('config.yaml', `${CONFIG}  mounts: [[a, b]]\n`);
  const { exitCode, out } = await capi('lint', path, '--service', 'azure', '--cloudbase-init', '1.1.8');
  expect(exitCode).toBe(120);
  expect(out).toContain(`${path}:6 spec.mounts[0]: "mounts" is ignored [key-dropped]`);
});

test.each([
  [['lint', '-', '--cloudbase-init', '0.9'], 2],
  [['lint', '-', '--service', 'moon'], 2],
  [['userdata'], 2],
  [['template'], 2],
  [['userdata', '--cloudcore-ip', '10.0.0.5'], 2],
  [['userdata', '--cloudcore-ip', '10.0.0.5', '--secret-store', 'x'], 2],
  [['userdata', '-', '--cloudcore-ip', '10.0.0.5', '--secret-store', 'aws-secrets-manager:x'], 2],
  [['userdata', '--cloudcore-ip', '10.0.0.5', '--secret-store', 'aws-secrets-manager:x', '--token-file', 'x'], 2],
  [['userdata', '-', '--labels', 'zone=north', '--secret-store', 'aws-secrets-manager:x'], 2],
  [['userdata', '-', '--set', 'a=b', '--secret-store', 'aws-secrets-manager:x'], 2],
  [['userdata', '--cloudcore-ip', '10.0.0.5', '--endpoint', 'x:1', '--secret-store', 'aws-secrets-manager:x'], 2],
  [['userdata', '--cloudcore-ip', '10.0.0.5', '--keep-secret', '--token', 'x'], 2],
])('%j is refused in one line', async (args, exitCode) => {
  const answer = await capi(...args);
  expect({ ...answer, err: answer.err.trimEnd().split('\n').length }).toEqual({ exitCode, out: '', err: 1 });
});

test('a file that is not there is reported', async () => {
  const { exitCode, err } = await capi('lint', join(folder, 'nothing'));
  expect({ exitCode, err }).toEqual({ exitCode: 23, err: expect.stringMatching(/^Error: Cannot read ".*nothing"/) });
});

test('user-data goes to standard output, what to know beside it, and lint has nothing to say', async () => {
  const path = await file('config.yaml', CONFIG);
  const store = ['--secret-store', 'azure-key-vault:https://v.vault.azure.net/win-1', '--service', 'azure'];
  const made = await capi('userdata', path, '--endpoint', 'a:6443', '--discovery-token-ca-cert-hash', HASH, ...store);
  expect(made).toMatchObject({
    exitCode: 0,
    err: expect.stringContaining('Put the token into azure-key-vault as "win-1"'),
  });
  const linted = await capi('lint', await file('user-data', made.out), '--service', 'azure');
  expect(linted).toMatchObject({ exitCode: 0, out: expect.stringContaining('No problems found') });
});

test('an edge node is reported by the options of join; the file is for its owner alone', async () => {
  const to = join(folder, 'user-data');
  const options = ['--cloudcore-ip', '10.0.0.5', '--labels', 'zone=north', '--set', 'modules.edgeHub.heartbeat=20'];
  const { exitCode, out } = await capi(
    'userdata',
    ...options,
    '--secret-store',
    'aws-parameter-store:/win',
    '--to',
    to,
  );
  expect({ exitCode, out }).toEqual({
    exitCode: 0,
    out: expect.stringMatching(/^Wrote ".*": powershell, \d+ bytes\n$/),
  });
  expect((await stat(to)).mode & 0o777).toBe(0o600);
  expect(await readFile(to, 'utf8')).toContain(
    `'join --cloudcore-ip 10.0.0.5 --labels zone=north --set modules.edgeHub.heartbeat=20'`,
  );
});

test('a token is not put where everybody could read it', async () => {
  const path = await file('config.yaml', CONFIG);
  const token = ['--token-file', await file('token', `${TOKEN}\n`)];
  const answer = await capi(
    'userdata',
    path,
    '--endpoint',
    'a:6443',
    '--discovery-token-ca-cert-hash',
    HASH,
    ...token,
    '--service',
    'ec2',
  );
  expect(answer).toMatchObject({ exitCode: 2, out: '' });
  expect(answer.err).not.toContain(TOKEN);
});

test('a pool has its machines, its bootstrap and its network', async () => {
  const example = await capi('template', '--example');
  const { exitCode, out, err } = await capi('template', await file('pool.yaml', example.out));
  expect(exitCode).toBe(0);
  expect(out.match(/^kind: \w+$/gm)).toEqual([
    'kind: AzureMachineTemplate',
    'kind: KubeadmConfigTemplate',
    'kind: MachineDeployment',
    'kind: ConfigMap',
    'kind: ClusterResourceSet',
  ]);
  expect(out).toContain('    kind: DaemonSet');
  expect(err).toContain('kubectl label cluster -n default my-cluster fenestra.dev/windows-network=my-cluster');
  const linted = await capi('lint', await file('pool-objects.yaml', out), '--service', 'azure');
  expect(linted.exitCode).toBe(0);
});

test('what does not go together in the network of a pool is reported in the words of its file', async () => {
  const { out } = await capi('template', '--example');
  const path = await file('pool.yaml', out.replace('#   hnsNetwork', '  hnsNetwork'));
  const { exitCode, err } = await capi('template', path);
  expect(exitCode).toBe(60);
  expect(err).toContain(
    `Cannot load "${path}": cannot use "network.hnsNetwork" with "network.plugin: flannel-overlay"`,
  );
  expect(err).not.toContain('--');
});

test('nothing is asked of anyone for user-data that could not be written', async () => {
  const store = ['--secret-store', 'aws-parameter-store:/win', '--cloudcore-ip', '10.0.0.5'];
  const { exitCode, err } = await capi('userdata', ...store, '--to', await file('user-data', ''));
  expect({ exitCode, err }).toEqual({ exitCode: 2, err: expect.stringMatching(/^Error: Cannot write/) });
});

test.each([
  [['--labels', 'a b=c'], 'modules.edged.nodeLabels'],
  [['--labels', 'k8s.io/zone=north'], 'Cannot set the label "k8s.io/zone"'],
  [['--set', 'modules.edgeHub.heartbeat=soon'], 'modules.edgeHub.heartbeat: must be'],
  [['--set', 'modules.edgeHub.heartbeet=20'], 'heartbeet'],
])('the configuration of an edge node gets only what it takes: %j', async (options, message) => {
  const store = ['--secret-store', 'aws-parameter-store:/win', '--cloudcore-ip', '10.0.0.5'];
  const answer = await capi('userdata', ...store, ...options);
  expect(answer).toMatchObject({ exitCode: 2, out: '', err: expect.stringContaining(message) });
  expect(answer.err).not.toContain('edgecore.yaml');
});
