import { RECOVERY_POLICY, type HostFacts, type ServiceStatus, bytesText } from '@fenestra/platform';
import { expect, test } from 'vitest';
import { CHECK_NAMES, examine } from './examine.ts';
import type { CheckFacts } from './facts.ts';
import { readyMachine } from './testing/ready-machine.ts';

const GIBIBYTE = 1024 ** 3;

const host: HostFacts = {
  os: 'linux',
  osName: 'Debian GNU/Linux 12 (bookworm)',
  osVersion: '12',
  build: '6.1.0-18-amd64',
  edition: 'debian',
  arch: 'x64',
  hostName: 'press-7',
  totalMemoryBytes: 4 * GIBIBYTE,
  freeMemoryBytes: 2 * GIBIBYTE,
  bootId: 'b',
  elevated: true,
  serviceManager: 'systemd',
  runtimes: [{ runtime: 'containerd', endpoint: 'unix:///run/containerd/containerd.sock' }],
  clock: { now: new Date('2030-01-01'), synchronized: true },
};

const ready = readyMachine(host);
const BUSY = [{ port: 10_550, setting: 'modules.metaManager.metaServer.server', free: false }];

function withHost(changes: Partial<HostFacts>): CheckFacts {
  return { ...ready, host: { ...host, ...changes } };
}

function withRuntime(changes: Partial<CheckFacts['runtime']>): CheckFacts {
  return { ...ready, runtime: { ...ready.runtime, remedy: 'Mend it.', ...changes } };
}

function withAgent(agent: ServiceStatus): CheckFacts {
  return { ...ready, agent, agentRecovery: RECOVERY_POLICY };
}

test('a machine that has everything passes every check', () => {
  expect(examine(ready).filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
});

const windows = { os: 'windows', serviceManager: 'scm' } as const;

test.each<[string, string, string, CheckFacts]>([
  ['no rights', 'elevated', 'fail', withHost({ elevated: false })],
  ['an old Windows', 'os-version', 'fail', withHost({ ...windows, build: '14393' })],
  ['Windows Server 2019', 'os-version', 'pass', withHost({ ...windows, build: '17763' })],
  ['an old kernel', 'os-version', 'fail', withHost({ build: '4.4.0-generic' })],
  ['an unknown processor', 'architecture', 'fail', withHost({ arch: 'other' })],
  ['hardly any memory', 'memory', 'fail', withHost({ totalMemoryBytes: 100_000_000 })],
  ['little memory free', 'memory', 'warn', withHost({ freeMemoryBytes: 1_000_000 })],
  ['a full disk', 'disk', 'fail', { ...ready, disk: { ...ready.disk, freeBytes: 1_000_000 } }],
  ['a nearly full disk', 'disk', 'warn', { ...ready, disk: { ...ready.disk, freeBytes: 2 * GIBIBYTE } }],
  [
    'a clock from before the program',
    'time',
    'fail',
    withHost({ clock: { now: new Date('2020-01-01'), synchronized: true } }),
  ],
  ['a clock nobody keeps', 'time', 'warn', withHost({ clock: { ...host.clock, synchronized: false } })],
  ['a clock of unknown quality', 'time', 'warn', withHost({ clock: { ...host.clock, synchronized: undefined } })],
  ['a name with an underscore', 'host-name', 'warn', withHost({ hostName: 'press_7' })],
  ['a domain name', 'host-name', 'pass', withHost({ hostName: 'Press-7.plant.example' })],
  ['no systemd', 'service-manager', 'warn', withHost({ serviceManager: 'none' })],
  ['no container runtime', 'container-runtime', 'fail', withRuntime({ usable: false, problem: 'is not there' })],
  ['a runtime without a network', 'container-runtime', 'warn', withRuntime({ problem: 'has no network for pods' })],
  ['a port in use', 'ports', 'fail', { ...ready, agentPorts: BUSY }],
  ['a port in use by the agent', 'ports', 'pass', { ...ready, agentPorts: BUSY, agent: { state: 'running' } }],
  ['files of an earlier node', 'leftover-state', 'warn', { ...ready, leftovers: ['/etc/kubeedge'] }],
  [
    'files others can read',
    'rights',
    'fail',
    { ...ready, bookkeepingRights: { path: '/b', report: { private: false, problems: ['others can read it'] } } },
  ],
  ['files of keadm that hide', 'rights', 'skip', { ...ready, bookkeepingRights: { path: '/b', report: 'unreadable' } }],
  [
    'a key others can read',
    'node-rights',
    'fail',
    {
      ...ready,
      nodeRights: [
        { path: '/c', report: 'unreadable' },
        { path: '/k', report: { private: false, problems: ['others can read it'] } },
      ],
    },
  ],
  ['keys that hide', 'node-rights', 'skip', { ...ready, nodeRights: [{ path: '/k', report: 'unreadable' }] }],
  [
    'private keys',
    'node-rights',
    'pass',
    { ...ready, nodeRights: [{ path: '/k', report: { private: true, problems: [] } }] },
  ],
  ['an agent that crashed', 'agent-service', 'fail', withAgent({ state: 'failed', exitCode: 3 })],
  ['an agent that rests', 'agent-service', 'warn', withAgent({ state: 'stopped' })],
  ['an agent nobody starts', 'agent-service', 'warn', withAgent({ state: 'running', startType: 'manual' })],
  ['an agent as we register it', 'agent-service', 'pass', withAgent({ state: 'running', startType: 'automatic' })],
  [
    'an agent with restart delays of the operator',
    'agent-service',
    'pass',
    {
      ...withAgent({ state: 'running', startType: 'automatic' }),
      agentRecovery: { restartDelaysSeconds: [5, 30], resetAfterSeconds: 86_400 },
    },
  ],
  [
    'an agent nobody restarts',
    'agent-service',
    'warn',
    {
      ...withAgent({ state: 'running', startType: 'automatic' }),
      agentRecovery: { restartDelaysSeconds: [], resetAfterSeconds: 0 },
    },
  ],
  [
    'a system that keeps its policy to itself',
    'agent-service',
    'pass',
    { ...withAgent({ state: 'running' }), agentRecovery: undefined },
  ],
  ['a guard without work', 'guard', 'warn', { ...ready, guard: { state: 'running' } }],
  [
    'a guard with work left over',
    'guard',
    'pass',
    { ...ready, guard: { state: 'running' }, journal: { state: 'unfinished', command: 'keadm upgrade', path: '/j' } },
  ],
  [
    'work cut off',
    'journal',
    'fail',
    { ...ready, journal: { state: 'unfinished', command: 'keadm join', path: '/j' } },
  ],
  ['a damaged journal of earlier work', 'journal', 'warn', { ...ready, journal: { state: 'superseded', path: '/j' } }],
  ['a corrupt journal', 'journal', 'fail', { ...ready, journal: { state: 'corrupt', problem: 'p', remedy: 'r' } }],
  [
    'a journal out of reach',
    'journal',
    'skip',
    { ...ready, journal: { state: 'unreadable', problem: 'p', remedy: 'r' } },
  ],
])('with %s, %s says %s, and names a remedy unless all is well', (_name, check, verdict, facts) => {
  const finding = examine(facts).find(({ name }) => name === check);
  expect(finding?.verdict).toBe(verdict);
  expect(finding?.remedy === undefined).toBe(verdict === 'pass');
});

test('a container runtime is told by its own words and where it is', () => {
  const absent = withRuntime({ usable: false, problem: 'is not there', remedy: 'Start it.' });
  expect(examine(ready, ['container-runtime'])).toMatchObject([{ reason: 'containerd 1.7.0 at unix:///c.sock' }]);
  expect(examine(absent, ['container-runtime'])).toMatchObject([
    { reason: 'The container runtime at "unix:///c.sock" is not there', remedy: 'Start it.' },
  ]);
});

test('a command at work right now is no unfinished one', () => {
  const lockOwner = { pid: 7, startedAt: '', bootId: '', command: 'keadm upgrade' };
  const facts: CheckFacts = {
    ...ready,
    lockOwner,
    journal: { state: 'unfinished', command: 'keadm upgrade', path: '/j' },
  };
  expect(examine(facts).find(({ name }) => name === 'journal')).toMatchObject({ verdict: 'warn' });
});

test('examine asks only the checks it is told to, and every one by default', () => {
  expect(examine(ready, ['journal', 'disk']).map(({ name }) => name)).toEqual(['disk', 'journal']);
  expect(examine(ready).map(({ name }) => name)).toEqual(CHECK_NAMES);
});

test.each([
  [0, '0 B'],
  [1536, '1.5 KiB'],
  [256 * 1024 * 1024, '256 MiB'],
  [123.4 * GIBIBYTE, '123 GiB'],
])('bytesText: %d is %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});
