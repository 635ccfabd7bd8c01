import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError } from '@fenestra/kernel';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Batch } from './batch.ts';
import { loadBatch, parseBatch } from './load-batch.ts';
import { processorMs } from '../../../../tests/processor-time.ts';

let folder = '';
let file = '';
const { signal } = new AbortController();
const variables = { HOME: '/home/me', TOKEN: 'abc def', PASSWORD: 'hunter2', SSH_AUTH_SOCK: '/run/agent' };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'batch-'));
  file = join(folder, 'batch.yaml');
  await mkdir(join(folder, 'files'));
  await writeFile(join(folder, 'key'), 'a key');
});
afterAll(async () => rm(folder, { recursive: true }));

async function load(text: string, mode = 0o600): Promise<Batch> {
  await writeFile(file, text);
  await chmod(file, mode);
  return loadBatch(file, { variables });
}

async function problemsOf(text: string, mode?: number): Promise<readonly string[]> {
  const error: unknown = await load(text, mode).catch((cause: unknown) => cause);
  if (!(error instanceof OperatorError)) throw new Error('the file was taken');
  expect(error.code).toBe('CONFIG_INVALID');
  return error.message
    .split('\n')
    .slice(1)
    .map((line) => line.replace(`  ${file}:`, ''));
}

const node = (more: string): string =>
  `nodes:\n  - { nodeName: a, keadmCmd: reset, ssh: { ip: h, username: u }${more} }\n`;

const LAYERED = `
keadm:
  cmdTplArgs: { cloud: '192.0.2.1:10000', token: env:TOKEN, site: none }
defaults:
  keadmCmd: join --cloudcore-ipport={{cloud}} --edgenode-name={{nodeName}} --token={{token}} --labels=site={{site}},at={{ip}}
  copyFrom: files
  labels: { country: de, kind: none }
  retries: { attempts: 2 }
  timeouts: { connect: 5s, command: 1h }
  become: { password: env:PASSWORD }
  ssh:
    username: admin
    auth: { type: agent }
groups:
  shops: { labels: { kind: shop }, cmdTplArgs: { site: 'hall 7' }, ssh: { port: 2222 }, maxDisrupted: 50% }
  windows: { os: windows, become: { enable: false }, ssh: { username: Administrator } }
jumps:
  gateway: { ip: 192.0.2.254, auth: { type: password, passwordAuth: { password: env:PASSWORD } } }
nodes:
  - nodeName: a
    groups: [shops, windows]
    keadmCmd: "join --labels='{{site}}' {{labels.kind}}"
    ssh:
      ip: '[2001:db8::7]'
      hostKey: SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8
      jump: [gateway, { ip: inner, username: hop, port: 23 }]
  - nodeName: b
    groups: shops
    ssh:
      ip: 192.0.2.8
      auth:
        - { type: privateKey, privateKeyAuth: { privateKeyPath: key, passphrase: env:PASSWORD } }
        - { type: keyboard-interactive, keyboardInteractiveAuth: { answer: env:PASSWORD } }
  - nodeName: c
    retries: { firstDelay: 10s }
    ssh: { ip: 192.0.2.9, transport: system }
`;

test('a node has what it says itself, then what its groups say, then the defaults', async () => {
  const { nodes, policy, notes } = await load(LAYERED);
  const [a, b, c] = nodes;
  expect(a).toMatchObject({
    name: 'a',
    groups: ['shops', 'windows'],
    labels: { country: 'de', kind: 'shop' },
    os: 'windows',
    become: undefined,
    copyFrom: join(folder, 'files'),
    shownCommand: ['join', '--labels=hall 7', 'shop'],
    limits: { deliverSeconds: 1800, commandSeconds: 3600 },
    retries: { attempts: 2, firstDelaySeconds: 2, longestDelaySeconds: 60 },
  });
  expect(b?.shownCommand.slice(1)).toEqual([
    '--cloudcore-ipport=192.0.2.1:10000',
    '--edgenode-name=b',
    '--token=***',
    '--labels=site=hall',
    '7,at=192.0.2.8',
  ]);
  expect(c).toMatchObject({ os: undefined, retries: { attempts: 2, firstDelaySeconds: 10 } });
  expect(policy.budgets.disruptedPerGroup).toEqual({ shops: 1 });
  expect(notes).toEqual([]);
});

test('secrets are asked for only when a node is reached or its command is run', async () => {
  const { nodes } = await load(LAYERED);
  const [a, b, c] = await Promise.all(nodes.map(async (each) => each.target(signal)));
  const limits = { connectSeconds: 5, idleTimeoutSeconds: 30 };
  expect(a).toEqual({
    name: 'a',
    host: '2001:db8::7',
    port: 2222,
    user: 'Administrator',
    auth: [{ kind: 'agent', socket: '/run/agent' }],
    hostKeys: ['SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8'],
    jumps: [
      expect.objectContaining({
        host: '192.0.2.254',
        port: 22,
        user: 'admin',
        auth: [{ kind: 'password', password: 'hunter2' }],
      }),
      expect.objectContaining({
        name: 'a via inner',
        port: 23,
        user: 'hop',
        auth: [{ kind: 'agent', socket: '/run/agent' }],
      }),
    ],
    usualAuth: false,
    transport: 'auto',
    limits,
  });
  expect(b?.auth).toEqual([
    { kind: 'key', path: join(folder, 'key'), passphrase: 'hunter2', certificate: undefined },
    { kind: 'keyboard-interactive', answer: 'hunter2' },
  ]);
  expect(c).toMatchObject({ transport: 'system', user: 'admin' });
  expect(await nodes[1]?.command(signal)).toContain('--token=abc def');
  expect(await nodes[1]?.become?.password?.(signal)).toBe('hunter2');
  expect(JSON.stringify(nodes)).not.toMatch(/hunter2|abc def/);
});

test('a machine of which nothing is said how to log in is tried with what this account has', async () => {
  const { nodes } = await load(node(''));
  expect((await nodes[0]?.target(signal))?.auth).toEqual([{ kind: 'agent', socket: '/run/agent' }]);
  const bare = await loadBatch(file, { variables: { KRB5CCNAME: '' } });
  await expect(bare.nodes[0]?.target(signal)).rejects.toMatchObject({ code: 'SECRET_UNAVAILABLE' });
});

test('what only the ssh of this account may use is left to it', async () => {
  const settings = join(folder, 'home', '.ssh');
  await mkdir(settings, { recursive: true });
  await load(node(''));
  const bare = { HOME: join(folder, 'home'), KRB5CCNAME: '' };
  const target = async (more = {}) =>
    (await loadBatch(file, { variables: { ...bare, ...more } })).nodes[0]?.target(signal);
  await expect(target()).rejects.toMatchObject({ code: 'SECRET_UNAVAILABLE' });
  expect(await target({ KRB5CCNAME: 'KCM:' })).toMatchObject({ auth: [], usualAuth: true, transport: 'auto' });
  await writeFile(join(settings, 'config'), 'Host *\n  GSSAPIAuthentication yes\n');
  expect(await target()).toMatchObject({ auth: [], usualAuth: true, transport: 'auto' });
  for (const name of ['id_ed25519_sk', 'id_rsa']) await writeFile(join(settings, name), '');
  const paths = ['id_rsa', 'id_ed25519_sk'].map((name) => ({ kind: 'key', path: join(settings, name) }));
  expect(await target()).toMatchObject({ auth: paths, usualAuth: true });
});

test('every mistake is reported at once, with its line and path', async () => {
  const text = `keadm:
  cmdTplArgs: { token: env:1, cmd: '{{x}}' }
  offlinePackageDir: nowhere
maxRunNum: 3
limits: { connections: 4 }
waves: [{ name: w }, { name: w, labels: { kind: shop } }]
defaults:
  copyFrom: files/none
groups: { shops: {} }
nodes:
  - nodeName: a
    groups: [shop]
    keadmCmd: join --token={{tokn}}
    ssh: { ip: h, port: 22, auth: { type: privateKey, privateKeyAuth: { privateKeyPath: none, certificatePath: key } } }
  - nodeName: A
    keadmCmd: join > log
    ssh: { ip: H, username: u, hostKey: nonsense, auth: { type: privateKey, passwordAuth: { password: env:X } } }
  - keadmCmd: keadm join
    ssh: { ip: h2, username: u, jump: [gate], auth: {} }
  - nodeName: d
    keadmCmd: --help
    ssh: { username: u, auth: { type: password } }
`;
  expect(await problemsOf(text)).toEqual([
    '1 keadm.keadmVersion: must be given, such as "v1.23.1"',
    '2 keadm.cmdTplArgs.token: names no environment variable: write "env:NAME"',
    '2 keadm.cmdTplArgs.cmd: holds a wildcard; only commands may',
    `3 keadm.offlinePackageDir: names "${folder}/nowhere", which is not there`,
    '5 limits.connections: differs from maxRunNum, which means the same: remove one',
    '6 waves[1].name: is given twice',
    '6 waves[1].labels: match no node in this file',
    `8 defaults.copyFrom: names "${folder}/files/none", which is not there`,
    '12 nodes[0].groups[0]: names the unknown group "shop"; did you mean "shops"?',
    '13 nodes[0].keadmCmd: uses the undefined wildcard "tokn"; did you mean "token"?',
    '14 nodes[0].ssh.username: must be given, here or in the defaults',
    `14 nodes[0].ssh.auth.privateKeyAuth.privateKeyPath: names "${folder}/none", which is not there`,
    '15 nodes[1].nodeName: is the name of nodes[0] already',
    '16 nodes[1].keadmCmd: holds ">", but the command is not interpreted by a shell: put it in single quotes if you mean it literally',
    '17 nodes[1].ssh.auth.privateKeyAuth.privateKeyPath: must be given',
    '17 nodes[1].ssh.hostKey: must be a fingerprint ("SHA256:…") or a public key ("ssh-ed25519 AAAA…")',
    '17 nodes[1].ssh.ip: is, with its port, the address of nodes[0] already',
    '18 nodes[2].nodeName: must be given',
    '18 nodes[2].keadmCmd: must begin with what follows "keadm": remove "keadm"',
    '19 nodes[2].ssh.auth.type: must be given: "password", "privateKey", "agent" or "keyboard-interactive"',
    '19 nodes[2].ssh.jump[0]: names the jump host "gate", but the file has none',
    '21 nodes[3].keadmCmd: must begin with a command such as "join", not with a flag',
    '22 nodes[3].ssh.ip: must be given',
    '22 nodes[3].ssh.auth.passwordAuth.password: must be given',
  ]);
});

test('a mistake in what holds for all nodes is not repeated for each of them', async () => {
  const text = `defaults: { ssh: { username: [] }, keadmCmd: reset }\nnodes: [{ nodeName: a, ssh: { ip: h } }, { nodeName: b, ssh: { ip: i } }]`;
  expect(await problemsOf(text)).toEqual(['1 defaults.ssh.username: must be a single value']);
});

test('a mistake in the defaults does not hide the others', async () => {
  const text =
    'defaults: { keadmCmd: "join {{cluster}}", ssh: { usrname: u } }\nnodes: [{ nodeName: a, ssh: { ip: h } }]';
  expect(await problemsOf(text)).toEqual([
    '1 defaults.ssh.usrname: unknown key; did you mean "username"?',
    '1 defaults.keadmCmd: uses the undefined wildcard "cluster"; defined are "nodeName", "ip"',
  ]);
});

test.each([
  ['groups: { g: { maxDisrupted: 0 } }', '1 groups.g.maxDisrupted: must be at least 1'],
  ['defaults: { timeouts: { connect: x } }', '1 defaults.timeouts.connect: must be a span of time'],
])('a mistake of another field, as in %s, does not hide what is missing', async (layer, mistake) => {
  const auth = 'auth: { type: password }';
  expect(await problemsOf(`${layer}\nnodes: [{ ssh: { ${auth} } }]`)).toEqual([
    expect.stringContaining(mistake),
    '2 nodes[0].nodeName: must be given',
    '2 nodes[0].keadmCmd: must be given, here, in a group or in the defaults',
    '2 nodes[0].ssh.ip: must be given',
    '2 nodes[0].ssh.username: must be given, here or in the defaults',
    '2 nodes[0].ssh.auth.passwordAuth.password: must be given',
  ]);
});

test.each([
  ['defaults: { keadmCmd: [], ssh: { username: u } }', 'defaults.keadmCmd'],
  ['defaults: { keadmCmds: reset, ssh: { username: u } }', 'defaults.keadmCmds'],
  ['defaults: { keadmCmd: reset, ssh: u }', 'defaults.ssh'],
  ['defaults: { keadmCmd: reset, username: u }', 'defaults.username'],
  ['groups: { a.b: [] }', 'groups["a.b"]'],
])('what %s cannot say is not missed in the node as well', async (layer, path) => {
  const problems = await problemsOf(`${layer}\nnodes: [{ nodeName: a, groups: [], ssh: { ip: h } }]`);
  expect(problems[0]).toContain(`1 ${path}: `);
  expect(problems.join('\n')).not.toContain('must be given');
});

test('a merge key is reported, and the fields it may contain are not reported as missing', async () => {
  const text = `nodes:
  - &shop { nodeName: a, keadmCmd: reset, ssh: &login { ip: h, username: u } }
  - { <<: *shop, nodeName: b }
  - { nodeName: c, keadmCmd: reset, labels: { <<: *login }, ssh: { <<: *login, ip: i } }
  - { nodeName: d }
`;
  const message = 'merge keys are not supported: use "defaults" or "groups" for the settings that nodes share';
  expect(await problemsOf(text)).toEqual([
    `3 nodes[1]["<<"]: ${message}`,
    `4 nodes[2].labels["<<"]: ${message}`,
    `4 nodes[2].ssh["<<"]: ${message}`,
    '5 nodes[3].keadmCmd: must be given, here, in a group or in the defaults',
    '5 nodes[3].ssh.ip: must be given',
    '5 nodes[3].ssh.username: must be given, here or in the defaults',
  ]);
});

test('names that every object has are not groups, jump hosts or wildcards', async () => {
  const text = `groups: { a.b: { labels: { x: y } } }
nodes:
  - nodeName: a
    groups: [constructor, a.b]
    keadmCmd: join {{constructor}}
    ssh: { ip: h, username: u, jump: toString }
`;
  expect(await problemsOf(text)).toEqual([
    '4 nodes[0].groups[0]: names the unknown group "constructor"; the nearest known one is "a.b"',
    '5 nodes[0].keadmCmd: uses the undefined wildcard "constructor"; defined are "nodeName", "ip", "labels.x"',
    '6 nodes[0].ssh.jump: names the jump host "toString", but the file has none',
  ]);
});

test.each([
  ['nodes: []', '1 nodes: must be given: there is nothing to do without them'],
  ['maxRunNum: 5', '1 nodes: must be given: there is nothing to do without them'],
])('%s: %s', async (text, problem) => {
  expect(await problemsOf(text)).toEqual([problem]);
});

test('the same address behind another jump host is another machine', async () => {
  const text = `defaults: { keadmCmd: reset, ssh: { username: u } }
jumps: { north: { ip: 192.0.2.1 }, south: { ip: 192.0.2.2 } }
nodes:
  - { nodeName: a, ssh: { ip: 10.0.0.1, jump: north } }
  - { nodeName: b, ssh: { ip: 10.0.0.1, jump: south } }
  - { nodeName: c, ssh: { ip: 10.0.0.1, port: 23, jump: south } }
`;
  expect((await load(text)).nodes).toHaveLength(3);
});

const CLEAR = `keadm: { cmdTplArgs: { joinToken: abc } }
nodes:
  - nodeName: a
    keadmCmd: join --token={{joinToken}} --passphrase=def
    ssh: { ip: h, username: u, auth: { type: password, passwordAuth: { password: hunter2 } } }
`;

test('a secret in clear is taken from a file that only its owner may read, and remarked upon once', async () => {
  const { notes, nodes } = await load(CLEAR);
  expect(notes).toEqual([
    { path: 'keadm.cmdTplArgs.joinToken', reason: expect.stringMatching(/is a plain-text secret; .* \(and 2 more\)$/) },
  ]);
  expect(nodes[0]?.shownCommand).toEqual(['join', '--token=***', '--passphrase=***']);
  expect(await nodes[0]?.command(signal)).toEqual(['join', '--token=abc', '--passphrase=def']);
});

test('a secret in clear is refused where others may read the file, unless the file says that it is meant so', async () => {
  const problems = await problemsOf(CLEAR, 0o644);
  expect(problems.map((line) => line.split(':')[0])).toEqual([
    '1 keadm.cmdTplArgs.joinToken',
    '4 nodes[0].keadmCmd',
    '5 nodes[0].ssh.auth.passwordAuth.password',
  ]);
  expect(problems.join()).not.toMatch(/hunter2|abc|def/);
  expect((await load(`allowClearSecrets: true\n${CLEAR}`, 0o644)).notes).toEqual([]);
  expect((await load(node(''), 0o644)).notes).toEqual([]);
});

test.each([
  ['', { kind: 'own' }],
  ['keadm: { download: { enable: true, url: "" }, keadmVersion: "", offlinePackageDir: "" }', { kind: 'own' }],
  ['keadm: { download: { enable: false } }', { kind: 'own' }],
  [
    'keadm: { download: { url: "https://mirror.example/x/" }, keadmVersion: v1.2.3, archGroup: [arm64, arm64] }',
    { kind: 'download', url: 'https://mirror.example/x', version: 'v1.2.3', arches: ['arm64'] },
  ],
  [
    'keadm: { download: { enable: false, url: "https://x.example" }, keadmVersion: v1.2.3, offlinePackageDir: files }',
    { kind: 'archives', folder: 'files', version: 'v1.2.3', arches: ['amd64', 'arm64', 'arm'] },
  ],
  ['keadm: { keadmBinDir: files }', { kind: 'folder', folder: 'files', arches: ['amd64', 'arm64', 'arm'] }],
])('the executables for %j come from %j', async (keadm, source) => {
  const folderOf = 'folder' in source && source.folder !== undefined ? { folder: join(folder, source.folder) } : {};
  expect((await load(`${keadm}\n${node('')}`)).keadm).toEqual({ ...source, ...folderOf });
});

test.each([
  ['keadm: { download: { url: "https://x.example" } }', 'keadm.keadmVersion: must be given'],
  ['keadm: { download: { url: "https://x.example" }, keadmVersion: "1.2" }', 'keadm.keadmVersion: must be a version'],
  ['keadm: { download: { url: "ftp://x" }, keadmVersion: v1.2.3 }', 'keadm.download.url: must be an address'],
  [
    'keadm: { download: { url: "https://me:pw@x.example" }, keadmVersion: v1.2.3 }',
    'must not hold a user or a password',
  ],
  ['keadm: { keadmBinDir: key }', 'which is not a folder'],
])('%s is refused', async (keadm, problem) => {
  expect(await problemsOf(`${keadm}\n${node('')}`)).toEqual([expect.stringContaining(problem)]);
});

test('a file that does not exist is reported as missing', async () => {
  await expect(loadBatch(join(folder, 'none'), { variables })).rejects.toMatchObject({ code: 'PATH_NOT_FOUND' });
});

test('the digest is that of the text, and a thousand nodes are read in a moment', async () => {
  const nodes = Array.from(
    { length: 1000 },
    (_, index) => `  - { nodeName: n${index}, ssh: { ip: 10.0.${index >> 8}.${index & 255} } }`,
  );
  const text = `defaults: { keadmCmd: 'join --edgenode-name={{nodeName}}', ssh: { username: u } }\nnodes:\n${nodes.join('\n')}\n`;
  const begun = processorMs();
  const batch = await load(text);
  expect(batch.nodes).toHaveLength(1000);
  expect(batch.digest).toMatch(/^[0-9a-f]{64}$/);
  expect(processorMs() - begun).toBeLessThan(5000);
});

test('no text makes it throw anything but an operator error', async () => {
  const fragments = [
    'nodes:',
    'defaults:',
    'keadm:',
    'ssh:',
    'ip:',
    '{{x}}',
    'hunter2',
    '- ',
    '\n',
    '  ',
    '[',
    '}',
    '"',
    '&a',
    '*a',
  ];
  const text = fc.array(fc.oneof(fc.constantFrom(...fragments), fc.string({ maxLength: 3 })), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(text, async (parts) => {
      const source = { text: parts.join(''), path: 'batch.yaml', readableByOthers: true };
      const error: unknown = await parseBatch(source, { variables }).catch((cause: unknown) => cause);
      expect(error).toMatchObject({ code: 'CONFIG_INVALID' });
    }),
    { numRuns: 200 },
  );
});
