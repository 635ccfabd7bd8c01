import { OperatorError } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { readBatchFile } from './read-batch-file.ts';
import { bytesOf, plainAddress, spanSeconds } from './scalars.ts';

const problemsOf = (text: string): readonly string[] =>
  readBatchFile(text, 'batch.yaml').problems.map(({ line, path, message }) => `${line} ${path}: ${message}`);

test.each(['', '# nothing but a remark\n', '---\n', 'null'])('%j is reported as empty', (text) => {
  expect(() => readBatchFile(text, 'batch.yaml')).toThrow(
    expect.objectContaining({
      code: 'CONFIG_INVALID',
      message: 'Cannot load "batch.yaml": 1 problem(s)\n  batch.yaml:1 is empty',
      hint: 'Correct the lines above; "keadm batch gen-config" prints an example.',
    }),
  );
});

test('a file that is not a mapping or not YAML is reported once', () => {
  expect(() => readBatchFile('- a\n- b', 'b.yaml')).toThrow('b.yaml:1 must be a mapping');
  expect(() => readBatchFile('nodes: [', 'b.yaml')).toThrow(OperatorError);
});

test('an unknown key is named with the nearest one, in lists and below free names too', () => {
  expect(
    problemsOf(
      'keadm:\n  nodes: []\nnodes:\n  - nodName: a\n    ssh:\n      usrname: root\ngroups:\n  shops:\n    maxDisruptd: 1\nwvaes: []\n',
    ),
  ).toEqual([
    '2 keadm.nodes: unknown key here; there is "nodes"',
    '4 nodes[0].nodName: unknown key; did you mean "nodeName"?',
    '6 nodes[0].ssh.usrname: unknown key; did you mean "username"?',
    '9 groups.shops.maxDisruptd: unknown key; did you mean "maxDisrupted"?',
    '10 wvaes: unknown key; did you mean "waves"?',
  ]);
});

test('a key of the same name that is about something else is not suggested', () => {
  const auth = '{ type: privateKey, privateKeyAuth: { password: x } }';
  expect(problemsOf(`nodes: [{ ssh: { auth: ${auth} } }]`)).toEqual([
    '1 nodes[0].ssh.auth.privateKeyAuth.password: unknown key; the nearest known one is "passphrase"',
  ]);
});

test.each([
  ['maxRunNum: 0', 'maxRunNum: must be at least 1'],
  ['maxRunNum: -5', 'maxRunNum: must be at least 1'],
  ['maxRunNum: 1.5', 'maxRunNum: must be a whole number'],
  ['maxRunNum: 1000000', 'maxRunNum: must be at most 100000'],
  ['keadm: { archGroup: [mips] }', 'keadm.archGroup[0]: must be "amd64" or "arm64" or "arm"'],
  ['nodes: [{ ssh: { port: 0 } }]', 'nodes[0].ssh.port: must be at least 1'],
  ['nodes: [{ ssh: { port: 65536 } }]', 'nodes[0].ssh.port: must be at most 65535'],
  ['nodes: [{ ssh: { auth: { type: key } } }]', 'nodes[0].ssh.auth.type: must be "password" or'],
  ['nodes: [{ ssh: { auth: [{ type: key }] } }]', 'nodes[0].ssh.auth[0].type: must be "password" or'],
  ['nodes: [{ ssh: { auth: agent } }]', 'nodes[0].ssh.auth: must be'],
  ['nodes: [{ ssh: { ip: "1.2.3.4:22" } }]', 'the port has a separate key'],
  ['nodes: [{ ssh: { ip: "root@1.2.3.4" } }]', 'nodes[0].ssh.ip: must be a name or an address'],
  ['nodes: [{ nodeName: a/b }]', 'nodes[0].nodeName: must be a name of letters'],
  ['nodes: [{ nodeName: .. }]', 'nodes[0].nodeName: must be a name of letters'],
  ['nodes: [a]', 'nodes[0]: must be a mapping'],
  ['nodes: {}', 'nodes: must be a list'],
  ['defaults: { ssh: { ip: 1.2.3.4 } }', 'defaults.ssh.ip: unknown key'],
  ['defaults: { timeouts: { connect: 30 } }', 'defaults.timeouts.connect: must be a span of time'],
  ['defaults: { timeouts: { connect: -30s } }', 'defaults.timeouts.connect: must be a span of time'],
  ['defaults: { become: { method: su } }', 'defaults.become.method: must be "sudo" or "doas"'],
  ['waves: [{ size: 0 }]', 'waves[0].size: must be at least 1'],
  ['waves: [{ size: 110% }]', 'waves[0].size: must be a number of nodes or a share such as "10%"'],
  ['halt: { failedPercent: 101 }', 'halt.failedPercent: must be at most 100'],
  ['limits: { bytesInFlight: lots }', 'limits.bytesInFlight: must be a size'],
  ['onHalt: explode', 'onHalt: must be "hold" or "roll-back"'],
])('%s is refused', (text, message) => {
  const problems = problemsOf(text);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(message);
});

test.each(['192.0.2.7', '2001:db8::7', '[2001:db8::7]', 'fe80::1%eth0', '::1', 'shop-7', 'shop_7.example.', ''])(
  'the address %j is taken',
  (ip) => {
    expect(problemsOf(`nodes: [{ ssh: { ip: "${ip}" } }]`)).toEqual([]);
  },
);

test('what is sound is kept beside what is not, in its place', () => {
  const { content, problems } = readBatchFile(
    'maxRunNum: no\nkeadm: { archGroup: [mips, amd64, sparc] }\nnodes: [7, { nodeName: a, ssh: { ip: b, port: x } }]',
    'batch.yaml',
  );
  expect(problems).toHaveLength(5);
  expect(content).toEqual({
    keadm: { archGroup: ['amd64'] },
    nodes: [{}, { nodeName: 'a', ssh: { ip: 'b' } }],
  });
});

test('a command may go over several lines if it is written as a block', () => {
  const { content, problems } = readBatchFile('nodes:\n  - keadmCmd: |\n      join\n      --x\n', 'batch.yaml');
  expect(problems).toEqual([]);
  expect(content.nodes?.[0]?.keadmCmd).toBe('join\n--x\n');
});

test('no problem repeats a value', () => {
  const text = 'nodes: [{ ssh: { port: hunter2, auth: { type: hunter2, passwordAuth: hunter2 } } }]';
  expect(problemsOf(text).join()).not.toContain('hunter2');
});

test('spans, sizes and addresses become what programs use', () => {
  expect([spanSeconds('1m30s'), spanSeconds('500ms'), spanSeconds('0')]).toEqual([90, 0.5, 0]);
  expect([bytesOf(7), bytesOf('64MiB'), bytesOf('1G'), bytesOf('5 KB')]).toEqual([7, 2 ** 26, 1e9, 5000]);
  expect([plainAddress('[::1]'), plainAddress('::1'), plainAddress('host')]).toEqual(['::1', '::1', 'host']);
});
