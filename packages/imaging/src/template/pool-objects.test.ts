import { type NodePoolConfig, readNodePool } from './node-pool-config.ts';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { metadataService, type ServiceName } from '../cloudbase/service.ts';
import { CLOUDBASE_VERSIONS } from '../cloudbase/version.ts';
import { lintFile } from '../lint/lint-file.ts';
import { EXAMPLE_NODE_POOL } from './example.ts';
import { nodePool, nodePoolYaml } from './pool-objects.ts';

const BASE = {
  apiVersion: 'fenestra.dev/v1',
  kind: 'WindowsNodePool',
  name: 'win',
  cluster: 'cluster',
  kubernetesVersion: 'v1.33.1',
  labels: { 'example.com/zone': 'north' },
  taints: [{ key: 'os', value: 'windows', effect: 'NoSchedule' }],
  dnsSuffix: 'corp.example',
  sshKeys: ['ssh-ed25519 AAAA'],
  preCommands: ['setup.cmd', 'echo "50% {# {{ größe"'],
  postCommands: ['sc.exe query kubelet'],
} as const;

const POOLS: Readonly<Partial<Record<ServiceName, NodePoolConfig>>> = {
  azure: { ...copy(), provider: 'azure', azure: { vmSize: 'Standard_D4s_v3' } },
  ec2: { ...copy(), provider: 'aws', aws: { instanceType: 'm5.large', amiId: 'ami-1' } },
  vmware: {
    ...copy(),
    provider: 'vsphere',
    vsphere: { server: 's', datacenter: 'd', datastore: 'd', network: 'n', template: 't' },
  },
};

function copy(): Omit<NodePoolConfig, 'provider'> {
  return {
    ...BASE,
    taints: [...BASE.taints],
    sshKeys: [...BASE.sshKeys],
    preCommands: [...BASE.preCommands],
    postCommands: [...BASE.postCommands],
  };
}

const Bootstrap = z.object({
  spec: z.object({ template: z.object({ spec: z.object({ preKubeadmCommands: z.array(z.string()) }) }) }),
});

function bootstrapSpecOf(config: NodePoolConfig): { readonly preKubeadmCommands: readonly string[] } {
  return Bootstrap.parse(nodePool(config, undefined).objects[1]).spec.template.spec;
}

test.each(['azure', 'ec2', 'vmware'] as const)('what is made for %s passes lint, for every release', (name) => {
  const config = POOLS[name];
  if (config === undefined) throw new Error('there is no such pool');
  const yaml = nodePoolYaml(nodePool(config, undefined));
  for (const version of CLOUDBASE_VERSIONS) {
    const [document] = lintFile(Buffer.from(yaml), { version, service: metadataService(name) });
    expect(document?.origin).toBe('KubeadmConfigTemplate');
    expect(document?.findings.filter(({ severity }) => severity !== 'note')).toEqual([]);
  }
});

test('the example is a pool, and names every key', () => {
  const config = readNodePool(EXAMPLE_NODE_POOL, 'example.yaml');
  expect(nodePool(config, 'manifests').objects.map(({ kind }) => kind)).toEqual([
    'AzureMachineTemplate',
    'KubeadmConfigTemplate',
    'MachineDeployment',
    'ConfigMap',
    'ClusterResourceSet',
  ]);
  const whole = EXAMPLE_NODE_POOL.replaceAll(/^# ( *[a-zA-Z]+:| *- )/gm, '$1');
  for (const key of ['namespace', 'labels', 'taints', 'dnsSuffix', 'sshKeys', 'aws', 'vsphere']) {
    expect(whole).toMatch(new RegExp(`^${key}:`, 'm'));
  }
});

test("a network goes to the pool's own cluster, and to no other of the namespace", () => {
  const pools = ['one', 'two'].map((cluster) =>
    nodePool({ ...copy(), cluster, provider: 'azure', azure: { vmSize: 'D4' } }, 'manifests'),
  );
  expect(pools.map(({ objects }) => objects.at(-1))).toMatchObject(
    ['one', 'two'].map((cluster) => ({
      kind: 'ClusterResourceSet',
      spec: { clusterSelector: { matchLabels: { 'fenestra.dev/windows-network': cluster } } },
    })),
  );
  expect(pools.map(({ notes }) => notes.at(-1))).toEqual([
    expect.stringContaining('kubectl label cluster -n default one fenestra.dev/windows-network=one'),
    expect.stringContaining('kubectl label cluster -n default two fenestra.dev/windows-network=two'),
  ]);
});

test('the provider knows that the machine runs Windows', () => {
  const specs = Object.values(POOLS).map((config) => nodePool(config, undefined).objects[0]);
  expect(specs).toMatchObject([
    { spec: { template: { spec: { osDisk: { osType: 'Windows' } } } } },
    { spec: { template: { spec: { cloudInit: { insecureSkipSecretsManager: true } } } } },
    { spec: { template: { spec: { os: 'Windows' } } } },
  ]);
});

function awsTemplate(aws: NonNullable<NodePoolConfig['aws']>) {
  return nodePool({ ...copy(), provider: 'aws', aws }, undefined).objects[0];
}

test.each([
  [undefined, ''],
  ['me', 'me'],
])('on AWS the key %s becomes %j: an absent one would be a default that was not chosen', (named, sshKeyName) => {
  const machine = { instanceType: 'm5.large', amiId: 'ami-1', ...(named === undefined ? {} : { sshKeyName: named }) };
  expect(awsTemplate(machine)).toMatchObject({ spec: { template: { spec: { sshKeyName } } } });
});

test('on vSphere a disk size is set, and a vCenter without thumbprint is noted', () => {
  const config = POOLS.vmware;
  if (config?.vsphere === undefined) throw new Error('there is no such pool');
  const pool = (more: object) =>
    nodePool(Object.assign({}, config, { vsphere: { ...config.vsphere, ...more } }), undefined);
  expect(pool({}).objects[0]).toMatchObject({ spec: { template: { spec: { cloneMode: 'linkedClone' } } } });
  expect(pool({ diskGiB: 200 }).objects[0]).toMatchObject({
    spec: { template: { spec: { cloneMode: 'fullClone', diskGiB: 200 } } },
  });
  expect(pool({}).notes.join()).toContain('"thumbprint"');
  expect(pool({ thumbprint: 'AA:BB' }).notes.join()).not.toContain('"thumbprint"');
});

test('a preparation that fails leaves no token behind, and keeps its exit code', () => {
  for (const config of Object.values(POOLS)) {
    const { preKubeadmCommands } = bootstrapSpecOf(config);
    const ends = String.raw`if not %ERRORLEVEL%==0 (del /f /q C:\run\kubeadm\kubeadm-join-config.yaml & cmd /c exit %ERRORLEVEL% || exit /b %ERRORLEVEL%)`;
    const [runs, asks] = [0, 1].map((part) => preKubeadmCommands.filter((_, index) => index % 2 === part));
    expect(runs?.at(-1)).toMatch(/^powershell\.exe .* C:\\run\\cluster-api\\prepare\.ps1$/);
    expect(asks).toEqual(runs?.map(() => ends));
  }
});

test.each([
  [{ preCommands: ['dir', 'dir\nver'] }, 'Cannot run preCommands[1]: it has 2 lines'],
  [{ postCommands: ['x'.repeat(8192)] }, 'Cannot run postCommands[0]: cmd.exe reads lines of 8191 letters'],
])('a command that could not be run is refused: %#', (commands, message) => {
  expect(() => nodePool({ ...copy(), ...commands, provider: 'azure', azure: { vmSize: 'D4' } }, undefined)).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining(message) }),
  );
});

test('the requirements of SSH keys are noted, if there are any', () => {
  const { notes } = nodePool({ ...copy(), provider: 'azure', azure: { vmSize: 'D4' } }, undefined);
  expect(notes.join()).toContain('the image must run OpenSSH');
  const without = nodePool({ ...copy(), sshKeys: [], provider: 'azure', azure: { vmSize: 'D4' } }, undefined);
  expect(without.notes.join()).not.toContain('OpenSSH');
});

test('a name that will be shortened is noted', () => {
  const config = POOLS.vmware;
  if (config === undefined) throw new Error('there is no such pool');
  expect(nodePool(config, undefined).notes.join()).not.toContain('15 letters');
  expect(nodePool({ ...config, name: 'windows-workers' }, undefined).notes.join()).toContain(
    '"windows-w-" and the last five',
  );
});
