import { type NamedFinding, runChecks } from '@fenestra/session';
import { expect, test } from 'vitest';
import { host } from '../join/testing/facts.ts';
import { POD_CHECKS, type PodFacts } from './pod-checks.ts';
import { readyMachine } from './testing/ready-machine.ts';

const ready: PodFacts = readyMachine(host);
const { runtime, worker } = ready;
const image = { sandboxImage: { name: 'pause:3.9', isPresent: true } };
const network = {
  configFolder: '/etc/cni/net.d',
  pluginFolders: ['/opt/cni/bin'],
  plugins: ['bridge', 'portmap'],
  missing: [],
};
const WINDOWS = {
  os: 'windows',
  systemDrive: 'C:',
  build: 20_348,
  containersFeature: true,
  networkService: 'running',
  containerdService: 'running',
  programDrive: 'C:',
} as const;

function findingOf(name: string, change: Partial<PodFacts>): NamedFinding | undefined {
  return runChecks(POD_CHECKS, { ...ready, ...change }).find((finding) => finding.name === name);
}

function onLinux(change: Partial<Extract<PodFacts['worker'], { os: 'linux' }>>): Partial<PodFacts> {
  if (worker.os !== 'linux') throw new Error('The machine of these tests is one of Linux');
  return { worker: { ...worker, ...change } };
}

test.each<[string, string, string, Partial<PodFacts>]>([
  [
    'a runtime with the other cgroup driver',
    'cgroup-driver',
    'fail',
    { details: { ...image, cgroupDriver: 'systemd' } },
  ],
  ['a runtime that keeps its cgroup driver to itself', 'cgroup-driver', 'skip', { details: image }],
  ['no pause image', 'pause-image', 'warn', { details: { sandboxImage: { isPresent: false } } }],
  ['no network', 'pod-network', 'warn', { runtime: { ...runtime, problem: 'has no network for pods' } }],
  ['no plugin', 'pod-network', 'warn', { details: { ...image, network: { ...network, missing: ['portmap'] } } }],
  ['a network', 'pod-network', 'pass', { details: { ...image, network } }],
  [
    'no right to lower scores, and a runtime that tries',
    'oom-scores',
    'fail',
    { ...onLinux({ allowsLowerOomScores: false }), details: { ...image, restrictsOomScores: false } },
  ],
  [
    'no right to lower scores, and a runtime that knows',
    'oom-scores',
    'pass',
    { ...onLinux({ allowsLowerOomScores: false }), details: { ...image, restrictsOomScores: true } },
  ],
  ['memory that is not counted', 'features', 'fail', onLinux({ cgroupControllers: ['cpu'] })],
  ['no forwarding', 'forwarding', 'warn', onLinux({ forwarding: false })],
  ['swap', 'swap', 'pass', onLinux({ swap: ['/dev/sda2'] })],
  [
    'swap that the configuration forbids',
    'swap',
    'fail',
    { ...onLinux({ swap: ['/dev/sda2'] }), swapTolerated: false },
  ],
])('with %s, %s says %s', (_name, check, verdict, change) => {
  const finding = findingOf(check, change);
  expect(finding?.verdict).toBe(verdict);
  if (verdict !== 'pass') expect(finding?.remedy).not.toBe('');
});

test('the remedy for another cgroup driver is for the machine as it is', () => {
  const details = { ...image, cgroupDriver: 'systemd' } as const;
  expect(findingOf('cgroup-driver', { details })?.remedy).toContain('--cgroupdriver systemd');
  expect(findingOf('cgroup-driver', { details, isJoined: true })?.remedy).toContain('keadm config set');
});

test('a plugin that is not there is named, with its folder', () => {
  const finding = findingOf('pod-network', { details: { ...image, network: { ...network, missing: ['portmap'] } } });
  expect(finding).toMatchObject({
    reason: expect.stringContaining('"portmap"'),
    remedy: expect.stringContaining('/opt/cni/bin'),
  });
});

test('a Windows machine passes what only Linux needs', () => {
  const findings = runChecks(POD_CHECKS, { ...ready, worker: WINDOWS, cgroupDriver: '', details: image });
  expect(findings.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
});

test('a Windows machine without the Containers feature fails', () => {
  expect(findingOf('features', { worker: { ...WINDOWS, containersFeature: false } })?.verdict).toBe('fail');
});
