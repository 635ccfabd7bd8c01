import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { kubeadmConfig } from '../lint/testing/documents.ts';
import { metadataService } from '../cloudbase/service.ts';
import { edgeRequest, workerRequest, type GivenWorker } from './compose-request.ts';
import { makeUserData } from './make-user-data.ts';
import { parseSecretStore } from './secret-store.ts';
import { TOKEN } from './testing/requests.ts';

const HASH = `sha256:${'a'.repeat(64)}`;
const JOIN = `apiVersion: kubeadm.k8s.io/v1beta3
kind: JoinConfiguration
discovery:
  tlsBootstrapToken: ${TOKEN}
  bootstrapToken: {apiServerEndpoint: 10.0.0.5:6443, token: ${TOKEN}, caCertHashes: ["${HASH}"]}
`;

const given: GivenWorker = {
  form: undefined,
  service: undefined,
  store: undefined,
  token: undefined,
  commandsBefore: [],
  commandsAfter: [],
  source: 'file.yaml',
  text: JOIN,
  endpoint: undefined,
  caHashes: [],
  program: 'keadm',
};
const fromConfig = (...lines: readonly string[]): GivenWorker => ({
  ...given,
  text: kubeadmConfig(...lines),
  endpoint: '10.0.0.5:6443',
  caHashes: [HASH],
  token: TOKEN,
});

/** kubeadm's configuration, as it will be written on the machine. */
function configurationOf(worker: GivenWorker): unknown {
  const { join } = workerRequest(worker).request;
  return join.kind === 'worker' ? parse(join.configuration) : undefined;
}

test('a JoinConfiguration keeps its version, and its token is taken out', () => {
  const { request } = workerRequest(given);
  expect(request.token).toEqual({ kind: 'inline', token: TOKEN });
  expect(configurationOf(given)).toEqual({
    apiVersion: 'kubeadm.k8s.io/v1beta3',
    kind: 'JoinConfiguration',
    discovery: { bootstrapToken: { apiServerEndpoint: '10.0.0.5:6443', token: '@TOKEN@', caCertHashes: [HASH] } },
  });
});

test('with a store no token is anywhere', () => {
  const store = parseSecretStore('aws-secrets-manager:win', { keep: false });
  const { text } = makeUserData(workerRequest({ ...given, store }).request);
  expect(text).not.toContain(TOKEN);
  expect(text).toContain('Get-SECSecretValue');
  expect(text).toContain('Remove-SECSecret');
});

test('a secret of the file or of an option is refused by its place, and not quoted', () => {
  const azure = {
    service: metadataService('azure'),
    store: parseSecretStore('azure-key-vault:https://nodes.vault.azure.net/win', { keep: false }),
  };
  const worker = fromConfig(
    'files: [{path: /k/x, content: "t=123456.0123456789abcdef"}]',
    'preKubeadmCommands: ["net user capi Passw0rd"]',
  );
  const commands = { commandsBefore: ['dir'], commandsAfter: ['dir', `use ${TOKEN}`] };
  expect(() => makeUserData(workerRequest({ ...worker, ...commands, ...azure }).request)).toThrow(
    expect.objectContaining({
      code: 'USAGE',
      message: [
        "Cannot put secrets into Azure's custom data: everyone with access to the machine could read them",
        '  file.yaml:5 spec.files[0].content: a bootstrap token',
        '  file.yaml:6 spec.preKubeadmCommands[0]: a password',
        '  --post-command, number 2: a bootstrap token',
      ].join('\n'),
    }),
  );
});

test('a KubeadmConfig of either version becomes a configuration of kubeadm', () => {
  const map = fromConfig('joinConfiguration:', '  nodeRegistration: {kubeletExtraArgs: {v: "2"}}');
  const list = fromConfig('joinConfiguration:', '  nodeRegistration: {kubeletExtraArgs: [{name: v, value: "2"}]}');
  for (const worker of [map, list]) {
    expect(configurationOf(worker)).toMatchObject({
      apiVersion: 'kubeadm.k8s.io/v1beta4',
      nodeRegistration: { kubeletExtraArgs: [{ name: 'v', value: '2' }] },
      discovery: { bootstrapToken: { apiServerEndpoint: '10.0.0.5:6443', caCertHashes: [HASH] } },
    });
  }
  expect(configurationOf(fromConfig('joinConfiguration:', '  timeouts: {tlsBootstrapSeconds: 90}'))).toMatchObject({
    timeouts: { tlsBootstrap: '90s' },
  });
});

test("a node name that a template takes from the host is the host's own", () => {
  const worker = fromConfig('joinConfiguration:', `  nodeRegistration: {name: '{{ ds.meta_data["local_hostname"] }}'}`);
  expect(configurationOf(worker)).not.toHaveProperty('nodeRegistration.name');
  expect(workerRequest(worker).notes.join()).toContain('the host name');
});

test('files, users, time servers and commands come along', () => {
  const { request } = workerRequest(
    fromConfig(
      'files:',
      '  - {path: /k/open, content: b3Blbg==, encoding: base64, permissions: "0644"}',
      '  - {path: /k/closed, content: closed, permissions: "0600"}',
      `  - {path: /k/secret, content: "token: ${TOKEN}"}`,
      '  - {path: /k/more, content: more, permissions: "0600", append: true}',
      'users: [{name: capi, groups: "Administrators,Users", sudo: ALL, shell: /bin/bash}]',
      'ntp: {servers: [pool.example]}',
      'bootCommands: [first]',
      'preKubeadmCommands: [second]',
      'postKubeadmCommands: [third]',
      'verbosity: 5',
    ),
  );
  expect(request.files.map(({ content, isProtected }) => [content.toString(), isProtected])).toEqual([
    ['open', false],
    ['closed', true],
    [`token: ${TOKEN}`, true],
    ['more', true],
  ]);
  expect(request).toMatchObject({
    commandsBefore: [
      { text: 'first', place: 'file.yaml:12 spec.bootCommands[0]' },
      { text: 'second', place: 'file.yaml:13 spec.preKubeadmCommands[0]' },
    ],
    commandsAfter: [{ text: 'third', place: 'file.yaml:14 spec.postKubeadmCommands[0]' }],
    join: { verbosity: 5 },
  });
  expect(request.settings).toEqual({
    ntp: { enabled: true, servers: ['pool.example'] },
    users: [{ name: 'capi', groups: ['Administrators', 'Users'] }],
  });
});

test.each([
  [fromConfig('mounts: [[/dev/sdb, /x]]'), /file\.yaml:5 "mounts" is not supported on Windows/],
  [fromConfig('diskSetup: {}'), /file\.yaml:5 "diskSetup" is not supported on Windows/],
  [fromConfig('files:', '  - {path: /x, contentFrom: {secret: {name: a, key: b}}}'), /is in a secret of the cluster/],
  [fromConfig('preKubeadmCommands:', '  - echo {{ v1.instance_id }}'), /file\.yaml:6 it is a template of Jinja/],
  [
    fromConfig(
      'joinConfiguration:',
      '  nodeRegistration: {kubeletExtraArgs: {node-ip: "{{ ds.meta_data.local_ipv4 }}"}}',
    ),
    /file\.yaml:6 it is a template of Jinja/,
  ],
  [fromConfig('files: 5'), /"files" has a wrong form/],
  [fromConfig('files:', '  - {path: /x, content: 5}'), /file\.yaml:6 "files\.0\.content" has a wrong form/],
  [
    fromConfig('files:', '  - {path: /x, content: x, encoding: base64}'),
    /file\.yaml:6 "\/x" does not match its declared encoding/,
  ],
  [fromConfig('preKubeadmCommand: [dir]'), /file\.yaml:5 there is no field "preKubeadmCommand"/],
  [fromConfig('users:', '  - {name: a, password: b}'), /file\.yaml:6 there is no field "password"/],
  [fromConfig('users: [{name: a, passwdFrom: {secret: {}}}]'), /file\.yaml:5 the password is in a secret/],
  [
    fromConfig('files: [{path: /x, contentFormat: Template, content: "{{ .controlPlane.version }}"}]'),
    /file\.yaml:5 it is a template of Go/,
  ],
  [{ ...fromConfig(), caHashes: [] }, /must have the hash of the CA/],
  [{ ...fromConfig(), endpoint: undefined }, /apiServerEndpoint/],
  [{ ...given, text: 'kind: JoinConfiguration\n  x' }, /Cannot load "file\.yaml"/],
  [{ ...given, text: 'a: 1\n' }, /contains no document of kind "JoinConfiguration"/],
  [{ ...given, text: `${kubeadmConfig('format: x')}---\n${kubeadmConfig('format: x')}` }, /it holds 2 KubeadmConfigs/],
  [{ ...given, text: `${kubeadmConfig('format: x')}  a: "b\n` }, /is not valid YAML/],
])('what cannot be used is refused with one message', (worker, message) => {
  expect(() => workerRequest(worker)).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringMatching(message) }),
  );
});

test('problems of the join are reported with the lines of the given file', () => {
  const config = fromConfig('users: []', 'joinConfiguration:', '  nodeRegistration:', '    taints: 5');
  expect(() => workerRequest(config)).toThrow(
    /file\.yaml:8 spec\.joinConfiguration\.nodeRegistration\.taints: must be/,
  );
  const missing = { ...fromConfig('users: []', 'joinConfiguration: {}'), endpoint: undefined };
  expect(() => workerRequest(missing)).toThrow(
    /file\.yaml:6 spec\.joinConfiguration\.discovery.*"--endpoint" can set it/,
  );
  const second = { ...given, text: `a: 1\n---\n# note\n${JOIN}nodeRegistration:\n  taints: 5\n` };
  expect(() => workerRequest(second)).toThrow(/file\.yaml:10 nodeRegistration\.taints: must be/);
});

function aliased(name: string, item: string): string {
  return `${name}: &${name} [${Array.from({ length: 9 }, () => item).join(', ')}]\n`;
}

test('aliases of aliases do not hide what is wrong', () => {
  const aliases = `${aliased('a', 'x')}${aliased('b', '*a')}${aliased('c', '*b')}${aliased('d', '*c')}`;
  expect(() => workerRequest({ ...given, text: `${JOIN}${aliases}` })).toThrow(/file\.yaml:1 a: unknown key/);
});

test.each([
  [{ endpoint: 'nowhere' }, 'USAGE', '--endpoint'],
  [{ caHashes: ['zz'] }, 'USAGE', '--discovery-token-ca-cert-hash'],
  [{ token: 'nonsense' }, 'TOKEN_INVALID', 'the bootstrap token'],
])('what an option says wrong is not blamed on the file: %j', (wrong, code, named) => {
  const message = expect.stringContaining(named);
  expect(() => workerRequest({ ...given, ...wrong })).toThrow(expect.objectContaining({ code, message }));
});

test('without a token and without a store there is no user-data', () => {
  expect(() => workerRequest({ ...fromConfig(), token: undefined })).toThrow(
    expect.objectContaining({ code: 'USAGE' }),
  );
  const edge = { ...given, words: ['--cloudcore-ip', '10.0.0.5'], now: new Date() };
  expect(() => edgeRequest(edge)).toThrow(expect.objectContaining({ code: 'USAGE' }));
  expect(() => edgeRequest({ ...edge, token: 'nonsense' })).toThrow(expect.objectContaining({ code: 'TOKEN_INVALID' }));
});

test('a long-lived token of an edge node has a separate hint, and not the one for kubeadm', () => {
  const jwt = [{ alg: 'HS256' }, { exp: 1_800_000_000 }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const token = `${'a'.repeat(64)}.${jwt}.c2lnbmF0dXJl`;
  const now = new Date('2026-01-01T00:00:00Z');
  const { request, notes } = edgeRequest({ ...given, token, words: ['--cloudcore-ip', '10.0.0.5'], now });
  expect([...notes, ...makeUserData(request).notes]).toEqual([
    expect.stringMatching(/can join nodes until 2027-.*"keadm gettoken --node NAME"/),
  ]);
});

test.each([
  'vault:x',
  'azure-key-vault:win-1',
  'azure-key-vault:http://v.vault.azure.net/win-1',
  "aws-secrets-manager:it's",
  'vsphere-guestinfo:token',
  'aws-parameter-store:',
])('"%s" is not a store', (text) => {
  expect(() => parseSecretStore(text, { keep: false })).toThrow(expect.objectContaining({ code: 'USAGE' }));
});
