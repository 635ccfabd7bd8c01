import { expect, test } from 'vitest';
import type { HistoryEntry } from './history-entry.ts';
import type { MachineStatus } from './status-facts.ts';
import { judgeHealth, statusText } from './status-text.ts';

const upgrade: HistoryEntry = {
  journal: 'j',
  command: 'keadm upgrade',
  began: '2026-01-02T03:04:05Z',
  ended: '2026-01-02T03:04:15Z',
  durationSeconds: 10,
  outcome: 'applied',
  version: '0.2.0',
  recovered: false,
  failure: undefined,
};

const well: MachineStatus = {
  services: { cloud: { state: 'absent' }, agent: { state: 'running', pid: 7 } },
  guardArmed: false,
  agent: {
    version: '0.2.0',
    pid: 7,
    startedAt: '2026-01-02T03:04:10Z',
    reloads: 0,
    connected: true,
    node: { registered: true, ready: 'True' },
  },
  node: {
    name: 'edge-1',
    version: 'v0.2.0',
    cloudAddress: '10.0.0.5:10000',
    certificateExpires: '2027-01-02T03:04:05.000Z',
    certificateProblem: undefined,
    configProblem: undefined,
    leftovers: [],
  },
  work: { last: upgrade, unfinished: [], underWay: undefined },
  cloud: undefined,
};

test('a node that works', () => {
  expect(judgeHealth(well)).toBe(true);
  expect(statusText(well)).toBe(
    [
      'edgecore   running, process 7, connected',
      'node       edge-1, version v0.2.0',
      'cloud      10.0.0.5:10000',
      'identity   valid until 2027-01-02T03:04:05.000Z',
      'registered yes',
      'ready      yes',
      'changed    2026-01-02T03:04:15Z by "keadm upgrade", done',
    ].join('\n'),
  );
});

test('a node without its cloud says why and what to do', () => {
  const problem = { message: 'Cannot reach the cloud', code: 'HUB_UNREACHABLE', hint: 'Check the address.' };
  const node = { registered: false, ready: 'Unknown', reason: 'never reported' } as const;
  const status: MachineStatus = {
    ...well,
    agent: { version: '1', pid: 7, startedAt: 't', reloads: 0, connected: false, problem, node },
  };
  expect(judgeHealth(status)).toBe(false);
  expect(statusText(status)).toContain(
    [
      'connected  no: Cannot reach the cloud',
      '           -> Check the address.',
      'registered no',
      'ready      unknown: never reported',
    ].join('\n'),
  );
});

test('work that is stuck is not healthy, work under way is nothing to worry about', () => {
  const stuck: HistoryEntry = { ...upgrade, outcome: 'stuck', failure: { code: 'DISK_FULL', message: 'No room' } };
  const open: MachineStatus = {
    ...well,
    guardArmed: true,
    work: { last: stuck, unfinished: [stuck], underWay: undefined },
  };
  expect(judgeHealth(open)).toBe(false);
  expect(statusText(open)).toContain(
    'guard      armed\nopen       "keadm upgrade" is stuck: No room\n           -> Run "keadm recover"',
  );
  const underWay = { pid: 9, startedAt: 's', bootId: 'b', command: 'keadm upgrade' };
  const busy: MachineStatus = { ...well, work: { last: stuck, unfinished: [stuck], underWay } };
  expect(judgeHealth(busy)).toBe(true);
  expect(statusText(busy)).toContain('changing   "keadm upgrade", process 9');
});

test('a machine that is only a cloud shows its nodes, and is healthy whatever they are', () => {
  const status: MachineStatus = {
    ...well,
    services: { cloud: { state: 'running', pid: 5 }, agent: { state: 'absent' } },
    agent: undefined,
    work: { last: undefined, unfinished: [], underWay: undefined },
    cloud: {
      server: 'https://127.0.0.1:6443',
      nodes: [{ name: 'edge-1', ready: 'False', reason: 'no runtime', version: 'v1', os: 'Debian' }],
      damaged: [],
    },
  };
  expect(judgeHealth(status)).toBe(true);
  expect(statusText(status)).toBe(
    [
      'cloudcore  running, process 5',
      'edgecore   absent',
      'nodes      1 at https://127.0.0.1:6443',
      '  edge-1  NotReady  v1  (no runtime)',
    ].join('\n'),
  );
});

test('a machine that is neither is not healthy, and leftovers are named', () => {
  const bare: MachineStatus = {
    ...well,
    services: { cloud: { state: 'absent' }, agent: { state: 'absent' } },
    agent: undefined,
    node: {
      name: undefined,
      version: undefined,
      cloudAddress: undefined,
      certificateExpires: undefined,
      certificateProblem: undefined,
      configProblem: undefined,
      leftovers: ['/etc/kubeedge'],
    },
    work: { last: undefined, unfinished: [], underWay: undefined },
  };
  expect(judgeHealth(bare)).toBe(false);
  expect(statusText(bare)).toContain('none, but there is "/etc/kubeedge"');
});

test('an upstream agent is judged by its service, since it says nothing about itself', () => {
  const status: MachineStatus = { ...well, agent: undefined };
  expect(judgeHealth(status)).toBe(true);
  expect(judgeHealth({ ...status, services: { ...status.services, agent: { state: 'failed', exitCode: 2 } } })).toBe(
    false,
  );
});

test('what may not be read is neither healthy nor unhealthy, and nothing is said of it', () => {
  const node = { unknown: 'Cannot read it', code: 'ACCESS_DENIED' } as const;
  const work = { unknown: 'Cannot list them', code: 'ACCESS_DENIED' } as const;
  const status: MachineStatus = { ...well, agent: undefined, node, work };
  expect(judgeHealth(status)).toBe(node);
  expect(judgeHealth({ ...well, work })).toBe(work);
  expect(statusText(status).split('\n').slice(1)).toEqual([
    'node       unknown: Cannot read it',
    '           -> Run the command as an administrator.',
    'changes    unknown: Cannot list them',
    '           -> Run the command as an administrator.',
  ]);
});

test('what nodes say of themselves cannot add lines', () => {
  const forged = {
    name: 'a',
    os: 'linux',
    version: 'v1',
    ready: 'False',
    reason: 'x)\n  b  Ready  v1\r\u001b[2K',
  } as const;
  const cloud = { server: 'https://127.0.0.1:6443', nodes: [forged], damaged: [] };
  expect(
    statusText({ ...well, cloud })
      .split('\n')
      .slice(-2),
  ).toEqual(['nodes      1 at https://127.0.0.1:6443', '  a  NotReady  v1  (x)   b  Ready  v1 [2K)']);
});

test('what files and the cloud say about a node that is not connected cannot add lines either', () => {
  const problem = { code: 'HUB_UNREACHABLE', message: 'no\nready      yes\u009b2J', hint: 'wait\nready      yes' };
  const failure = { code: 'HUB_UNREACHABLE' as const, message: 'no\nready      yes' };
  const text = statusText({
    ...well,
    agent: { version: '0.2.0', pid: 7, startedAt: '', reloads: 0, connected: false, problem },
    node: {
      ...well.node,
      name: 'a\nready      yes',
      cloudAddress: 'b\nready      yes',
      configProblem: 'c\nready      yes',
    },
    work: { last: undefined, unfinished: [{ ...upgrade, outcome: 'stuck', failure }], underWay: undefined },
  });
  expect(text).not.toMatch(/^ready|\u009b/m);
});

test('a cloud names the objects that its database lost, and what to do', () => {
  const lost = { resource: 'configmaps', namespace: 'default', name: 'a\n  b', reason: 'its checksum is wrong' };
  const damaged = [lost, { ...lost, resource: 'nodes', namespace: '', name: 'edge-1' }];
  const text = statusText({ ...well, cloud: { server: 'https://127.0.0.1:6443', nodes: [], damaged } });
  expect(text.split('\n').slice(-4)).toEqual([
    'damaged    2 stored objects were set aside',
    '  configmaps  default/a   b  (its checksum is wrong)',
    '  nodes  edge-1  (its checksum is wrong)',
    '           -> Create them again: nodes treat missing objects as deleted.',
  ]);
});

test('pods are counted by their state, and each that is not well has its reason', () => {
  const unwell = [{ pod: 'shop/web', status: 'CrashLoopBackOff', message: 'back-off 10s' }];
  const status = { ...well, pods: { states: { CrashLoopBackOff: 1, Running: 4 }, unwell } };
  const lines = statusText(status).split('\n');
  expect(lines).toContain('pods       5, 1 CrashLoopBackOff, 4 Running');
  expect(lines).toContain('  shop/web  CrashLoopBackOff  (back-off 10s)');
});
