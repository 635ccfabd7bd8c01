import { OperatorError } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { NodeOs } from '../../config/edgecore/edge-paths.ts';
import { discoveryLocation } from './join-configuration.ts';
import { parseJoinConfiguration } from './parse-join-configuration.ts';

const PIN = `sha256:${'ab'.repeat(32)}`;
const TOKEN = 'abcdef.0123456789abcdef';
const bootstrapToken = { token: TOKEN, apiServerEndpoint: '192.0.2.1:6443', caCertHashes: [PIN] };

const document = (version: string, fields: object): string =>
  stringify({ apiVersion: `kubeadm.k8s.io/${version}`, kind: 'JoinConfiguration', ...fields });

const read = (text: string, os: NodeOs = 'linux') => parseJoinConfiguration(text, 'join.yaml', os);

test("the least there can be has kubeadm's defaults", () => {
  expect(read(document('v1beta4', { discovery: { bootstrapToken } }))).toEqual({
    discovery: {
      kind: 'token',
      token: TOKEN,
      endpoint: '192.0.2.1:6443',
      caHashes: [PIN],
      skipCaVerification: false,
    },
    tlsBootstrapToken: TOKEN,
    caCertPath: undefined,
    nodeName: undefined,
    criSocket: undefined,
    taints: [],
    kubeletExtraArgs: [],
    ignorePreflightErrors: [],
    skipPhases: [],
    patchesFolder: undefined,
    dryRun: false,
    timeouts: { kubeletHealthCheck: 240_000, kubernetesApiCall: 60_000, tlsBootstrap: 300_000, discovery: 300_000 },
    warnings: [],
  });
});

const registration = { name: 'Win-1', criSocket: '\\\\.\\pipe\\containerd-containerd' };

test('v1beta3, v1beta4 and v1 say the same in one form', () => {
  const old = read(
    document('v1beta3', {
      discovery: { bootstrapToken, timeout: '2m' },
      nodeRegistration: { ...registration, kubeletExtraArgs: { v: '4', 'node-labels': 'a=b' } },
    }),
    'windows',
  );
  const fields = {
    discovery: { bootstrapToken },
    nodeRegistration: {
      ...registration,
      kubeletExtraArgs: [
        { name: 'v', value: '4' },
        { name: 'node-labels', value: 'a=b' },
      ],
    },
    timeouts: { discovery: '2m' },
  };
  expect(read(document('v1beta4', fields), 'windows')).toEqual(old);
  expect(read(document('v1', fields), 'windows')).toEqual(old);
  expect(old).toMatchObject({
    nodeName: 'win-1',
    criSocket: 'npipe:////./pipe/containerd-containerd',
    timeouts: { discovery: 120_000 },
  });
});

test('everything a worker may say is read', () => {
  const text = document('v1beta4', {
    discovery: { file: { kubeConfigPath: '/etc/d.conf' }, tlsBootstrapToken: TOKEN },
    nodeRegistration: {
      taints: [
        { key: 'a/b', value: 'c', effect: 'NoExecute' },
        { key: 'd', effect: 'NoSchedule' },
      ],
      ignorePreflightErrors: ['Swap'],
      imagePullPolicy: 'Never',
      imagePullSerial: false,
    },
    caCertPath: '/x/ca.crt',
    patches: { directory: '/patches' },
    skipPhases: ['preflight'],
    dryRun: true,
    controlPlane: null,
  });
  expect(read(text)).toMatchObject({
    discovery: { kind: 'file', path: '/etc/d.conf' },
    tlsBootstrapToken: TOKEN,
    taints: [
      { key: 'a/b', value: 'c', effect: 'NoExecute' },
      { key: 'd', effect: 'NoSchedule' },
    ],
    ignorePreflightErrors: ['Swap'],
    caCertPath: '/x/ca.crt',
    patchesFolder: '/patches',
    skipPhases: ['preflight'],
    dryRun: true,
  });
});

test.each([
  ['windows', 'C:\\x\\y.conf', { kind: 'file', path: 'C:\\x\\y.conf' }],
  ['windows', 'C:/x/y.conf', { kind: 'file', path: 'C:/x/y.conf' }],
  ['windows', 'd:relative.conf', { kind: 'file', path: 'd:relative.conf' }],
  ['windows', '/x/y.conf', { kind: 'file', path: '/x/y.conf' }],
  ['windows', '\\\\server\\share\\y.conf', { kind: 'file', path: '\\\\server\\share\\y.conf' }],
  ['windows', 'file:///C:/x%20y.conf', { kind: 'file', path: 'C:\\x y.conf' }],
  ['linux', 'file:///etc/y.conf', { kind: 'file', path: '/etc/y.conf' }],
  ['linux', 'y.conf', { kind: 'file', path: 'y.conf' }],
  ['linux', 'https://192.0.2.1/y.conf', { kind: 'url', url: 'https://192.0.2.1/y.conf' }],
] as const)('on %s the discovery file %s with its drive letter is found', (os, written, location) => {
  expect(discoveryLocation(written, os)).toEqual(location);
});

test.each(['', 'http://192.0.2.1/y.conf', 'https://', 'ftp://x/y', 'file://host/x'])(
  'no discovery file is at %j',
  (written) => {
    expect(discoveryLocation(written, 'linux')).toMatchObject({ kind: 'invalid' });
  },
);

test('a drive letter is taken from the file too', () => {
  const text = document('v1beta4', { discovery: { file: { kubeConfigPath: 'C:\\x.conf' } } });
  expect(read(text, 'windows').discovery).toEqual({ kind: 'file', path: 'C:\\x.conf' });
});

test('all mistakes are reported at once, each with its line and path, and none with its value', () => {
  const text = [
    'apiVersion: kubeadm.k8s.io/v1beta4',
    'kind: JoinConfiguration',
    'caCertPath: pki/ca.pem',
    'discovery:',
    '  bootstrapToken:',
    '    token: hunter2',
    '    apiServerEndpoint: hunter2',
    '    caCertHashes:',
    '      - sha256:hunter2',
    '  tlsBootstrapToken: hunter2',
    'nodeRegistration:',
    '  name: a_hunter2',
    '  criSocket: npipe:////./pipe/hunter2',
    '  taint: []',
    '  taints:',
    '    - {key: a, effect: Explode}',
    '  kubeletExtraArgs:',
    '    - {name: --v, value: "4"}',
    '  ignorePreflightErrors: [all, Swap]',
    'controlPlane: {}',
    'timeouts: {discovery: soon}',
    '',
  ].join('\n');
  expect(problemsOf(text)).toEqual([
    '3 caCertPath: must be an absolute path that ends in ".crt"',
    '6 discovery.bootstrapToken.token: must be a bootstrap token: six characters, a dot and sixteen characters, all lower-case letters and digits',
    '7 discovery.bootstrapToken.apiServerEndpoint: must be a host and a port such as "192.0.2.1:10000"',
    '9 discovery.bootstrapToken.caCertHashes[0]: must have only hex digits after "sha256:"',
    '10 discovery.tlsBootstrapToken: must be a bootstrap token: six characters, a dot and sixteen characters, all lower-case letters and digits',
    '12 nodeRegistration.name: must be a node name: lower-case letters, digits, "-" and ".", with a letter or digit at both ends',
    '13 nodeRegistration.criSocket: must be an endpoint of this system, such as "unix:///var/run/containerd/containerd.sock"',
    '14 nodeRegistration.taint: unknown key; did you mean "taints"?',
    '16 nodeRegistration.taints[0].effect: must be "NoSchedule" or "PreferNoSchedule" or "NoExecute"',
    '18 nodeRegistration.kubeletExtraArgs[0].name: must be the name of an argument without its dashes',
    '19 nodeRegistration.ignorePreflightErrors: must have "all" alone',
    '20 controlPlane: is for control planes: keadm joins workers only',
    '21 timeouts.discovery: must be a span of time such as "10s", "1m30s" or "100ms"',
  ]);
});

test.each([
  ['v1beta4', {}, 'discovery: must be a mapping'],
  ['v1beta4', { discovery: {} }, 'discovery: must have "bootstrapToken" or "file"'],
  ['v1beta4', { discovery: { bootstrapToken, file: { kubeConfigPath: '/x' } } }, 'discovery: must have only one of'],
  [
    'v1beta4',
    { discovery: { bootstrapToken: { ...bootstrapToken, caCertHashes: [] } } },
    'must have the hash of the CA',
  ],
  [
    'v1beta4',
    { discovery: { bootstrapToken: { ...bootstrapToken, caCertHashes: ['md5:1'] } } },
    'caCertHashes[0]: must begin',
  ],
  ['v1beta4', { discovery: { file: { kubeConfigPath: 'http://x' } } }, 'must be a path, or an address'],
  ['v1beta4', { discovery: { bootstrapToken }, nodeRegistration: { kubeletExtraArgs: { v: '4' } } }, 'must be a list'],
  ['v1beta3', { discovery: { bootstrapToken }, nodeRegistration: { kubeletExtraArgs: [] } }, 'must be a mapping'],
  ['v1beta3', { discovery: { bootstrapToken }, timeouts: {} }, 'timeouts: unknown key'],
  [
    'v1beta3',
    { discovery: { bootstrapToken }, nodeRegistration: { kubeletExtraArgs: { 'hostname-override': 'a_b' } } },
    'nodeRegistration.kubeletExtraArgs: must be a node name',
  ],
  ['v1beta2', {}, 'apiVersion: must be "kubeadm.k8s.io/v1beta3" or'],
])('%s with %j is refused', (version, fields, reason) => {
  const problems = problemsOf(document(version, fields));
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(reason);
});

test('other documents of the file are skipped with a message, and lines still count from its beginning', () => {
  const other = 'apiVersion: kubeadm.k8s.io/v1beta4\nkind: InitConfiguration\n---\n';
  const sound = document('v1beta4', { discovery: { bootstrapToken } });
  expect(read(`${other}${sound}`).warnings).toEqual(['the document of kind "InitConfiguration" in line 1 is not used']);
  expect(problemsOf(`${other}${sound}dryRun: perhaps\n`)).toEqual(['12 dryRun: must be true or false']);
  expect(problemsOf(`${sound}---\n${sound}`)).toEqual(['10 is a second "JoinConfiguration"']);
});

test.each([
  ['', '1 is empty'],
  ['kind: "a', 'misses a closing'],
  ['kind: ClusterConfiguration', '1 contains no document of kind "JoinConfiguration"'],
  ['['.repeat(50_000), '1 is not valid YAML'],
])('%# is not a file to join with', (text, problem) => {
  expect(problemsOf(text).join()).toContain(problem);
});

function problemsOf(text: string): readonly string[] {
  try {
    read(text);
  } catch (error) {
    if (!(error instanceof OperatorError) || error.code !== 'CONFIG_INVALID') throw error;
    expect(error.message).not.toContain('hunter2');
    return error.message
      .split('\n')
      .slice(1)
      .map((line) => line.trim().replace('join.yaml:', ''));
  }
  throw new Error('Nothing was refused');
}
