import { OperatorError } from '@fenestra/kernel';
import { RECOVERY_POLICY, type HostFacts, type ServiceStatus, bytesText } from '@fenestra/platform';
import { failedBy, type NamedFinding, pass, runChecks, warn } from '@fenestra/session';
import { expect, test } from 'vitest';
import type { FoundCertificate } from './certificate.ts';
import { DOCTOR_CHECKS } from './doctor-checks.ts';
import type { CheckFacts } from './node-state.ts';
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

const ready: CheckFacts = { ...readyMachine(host), nodeName: 'press-7', cloud: undefined, certificate: undefined };
const BUSY = [{ port: 10_550, setting: 'modules.metaManager.metaServer.server', free: false }];

function withHost(changes: Partial<HostFacts>): CheckFacts {
  return { ...ready, host: { ...host, ...changes } };
}

function withFreeDisk(freeBytes: number): CheckFacts {
  return { ...ready, space: { ...ready.space, disk: { ...ready.space.disk, freeBytes } } };
}

function findingOf(name: string, facts: CheckFacts): NamedFinding | undefined {
  return runChecks(DOCTOR_CHECKS, facts).find((finding) => finding.name === name);
}

function withRuntime(changes: Partial<CheckFacts['runtime']>): CheckFacts {
  return { ...ready, runtime: { ...ready.runtime, remedy: 'Fix it.', ...changes } };
}

function withAgent(agent: ServiceStatus): CheckFacts {
  return { ...ready, agent, agentRecovery: RECOVERY_POLICY };
}

test('a machine that has everything passes every check', () => {
  expect(runChecks(DOCTOR_CHECKS, ready).filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
});

const unreachable = failedBy(new OperatorError('HUB_UNREACHABLE', 'Cannot reach it', { hint: 'Look.' }));
const valid = { from: new Date('2029-06-01'), until: new Date('2030-06-01'), keyMatches: true, signedByCa: true };

function withCertificate(content: FoundCertificate['content']): CheckFacts {
  return { ...ready, certificate: { file: '/c/server.crt', content } };
}

const windows = { os: 'windows', serviceManager: 'scm' } as const;

test.each<[string, string, string, CheckFacts]>([
  ['no rights', 'elevated', 'fail', withHost({ elevated: false })],
  ['an old Windows', 'os-version', 'fail', withHost({ ...windows, build: '14393' })],
  ['Windows Server 2019', 'os-version', 'pass', withHost({ ...windows, build: '17763' })],
  ['an old kernel', 'os-version', 'fail', withHost({ build: '4.4.0-generic' })],
  ['an unknown processor', 'architecture', 'fail', withHost({ arch: 'other' })],
  ['hardly any memory', 'memory', 'fail', withHost({ totalMemoryBytes: 100_000_000 })],
  ['little memory free', 'memory', 'warn', withHost({ freeMemoryBytes: 1_000_000 })],
  ['a full disk', 'disk', 'fail', withFreeDisk(1_000_000)],
  ['a nearly full disk', 'disk', 'warn', withFreeDisk(2 * GIBIBYTE)],
  [
    'a clock from before the program',
    'clock',
    'fail',
    withHost({ clock: { now: new Date('2020-01-01'), synchronized: true } }),
  ],
  ['a clock no one keeps', 'clock', 'warn', withHost({ clock: { ...host.clock, synchronized: false } })],
  ['a clock of unknown quality', 'clock', 'warn', withHost({ clock: { ...host.clock, synchronized: undefined } })],
  ['a name with an underscore', 'node-name', 'warn', { ...ready, nodeName: 'press_7' }],
  ['a domain name', 'node-name', 'pass', { ...ready, nodeName: 'press-7.plant.example' }],
  ['no systemd', 'service-manager', 'warn', withHost({ serviceManager: 'none' })],
  ['no container runtime', 'container-runtime', 'fail', withRuntime({ usable: false, problem: 'is not there' })],
  ['a port in use', 'ports', 'fail', { ...ready, ports: BUSY }],
  ['a port in use by the agent', 'ports', 'pass', { ...ready, ports: BUSY, ownServiceRuns: true }],
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
  ['a cloud out of reach', 'cloud', 'fail', { ...ready, cloud: unreachable }],
  ['a cloud that answers', 'cloud', 'pass', { ...ready, cloud: pass('It answers') }],
  ['two names', 'node-name', 'warn', { ...ready, nameInCloud: warn('It differs', 'Reset it.') }],
  ['no certificate', 'certificate', 'fail', withCertificate('absent')],
  ['a certificate that hides', 'certificate', 'skip', withCertificate('unreadable')],
  ['a damaged certificate', 'certificate', 'fail', withCertificate('damaged')],
  ['a valid certificate', 'certificate', 'pass', withCertificate(valid)],
  ['an expired certificate', 'certificate', 'fail', withCertificate({ ...valid, until: new Date('2029-12-31') })],
  ['a certificate of the future', 'certificate', 'fail', withCertificate({ ...valid, from: new Date('2030-02-01') })],
  ['an overdue renewal', 'certificate', 'warn', withCertificate({ ...valid, until: new Date('2030-01-03') })],
  ["another node's key", 'certificate', 'fail', withCertificate({ ...valid, keyMatches: false })],
  ["another cloud's CA", 'certificate', 'fail', withCertificate({ ...valid, signedByCa: false })],
  ['an agent that crashed', 'agent-service', 'fail', withAgent({ state: 'failed', exitCode: 3 })],
  ['an agent that rests', 'agent-service', 'warn', withAgent({ state: 'stopped' })],
  ['an agent no one starts', 'agent-service', 'warn', withAgent({ state: 'running', startType: 'manual' })],
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
    'an agent no one restarts',
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
  const finding = findingOf(check, facts);
  expect(finding?.verdict).toBe(verdict);
  expect(finding?.remedy === undefined).toBe(verdict === 'pass');
});

test('a container runtime is reported by its own words and where it is', () => {
  const absent = withRuntime({ usable: false, problem: 'is not there', remedy: 'Start it.' });
  expect(findingOf('container-runtime', ready)).toMatchObject({ reason: 'containerd 1.7.0 at unix:///c.sock' });
  expect(findingOf('container-runtime', absent)).toMatchObject({
    reason: 'The container runtime at "unix:///c.sock" is not there',
    remedy: 'Start it.',
  });
});

test('a command at work right now is not an unfinished one', () => {
  const lockOwner = { pid: 7, startedAt: '', bootId: '', command: 'keadm upgrade' };
  const facts: CheckFacts = {
    ...ready,
    lockOwner,
    journal: { state: 'unfinished', command: 'keadm upgrade', path: '/j' },
  };
  expect(findingOf('journal', facts)).toMatchObject({ verdict: 'warn' });
});

test.each([
  [0, '0 B'],
  [1536, '1.5 KiB'],
  [256 * 1024 * 1024, '256 MiB'],
  [123.4 * GIBIBYTE, '123 GiB'],
])('bytesText: %d is %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});
