import { OperatorError } from '@fenestra/kernel';
import { type NamedFinding, pass, requirePassed } from '@fenestra/session';
import { expect, test } from 'vitest';
import { testHost, testLinuxFacts, testWindowsFacts } from '../testing/test-worker.ts';
import { judgeName, type PreflightFacts, runtimeRemedy } from './gather-preflight.ts';
import { KUBE_JOIN_CHECKS, runWorkerChecks, waivedChecks } from './worker-checks.ts';

const facts: PreflightFacts = {
  host: testHost,
  worker: testLinuxFacts,
  madeAt: new Date('2026-01-01T00:00:00Z'),
  nodeName: 'worker-1',
  nameInCloud: pass('The cluster has no such node'),
  memoryNeeds: { totalBytes: 2 ** 29, comfortableBytes: 2 ** 30, freeBytes: 0 },
  space: { disk: { path: '/usr/local/bin', totalBytes: 2 ** 40, freeBytes: 2 ** 39 }, neededBytes: 2 ** 28 },
  runtime: { endpoint: 'unix:///run/containerd/containerd.sock', usable: true, version: 'containerd 1.7.0' },
  ports: [{ port: 10_250, free: true }],
  ownServiceRuns: false,
  service: { state: 'absent' },
  foreignService: undefined,
  leftovers: [],
  resetCommand: 'keadm kube reset',
  foreignPrograms: [],
  swapTolerated: false,
  kubeletVersion: 'v1.33.1',
  cluster: { server: 'https://c:6443', version: 'v1.33.4', existingNode: undefined },
};
const windows: PreflightFacts = {
  ...facts,
  host: { ...testHost, os: 'windows', build: '20348' },
  worker: testWindowsFacts,
};
const readyNode = {
  ready: 'True',
  readyReason: '',
  readyMessage: '',
  schedulable: true,
  kubeletVersion: 'v1.33.1',
  labels: {},
  annotations: {},
} as const;

function findingOf(name: string, changed: PreflightFacts): NamedFinding | undefined {
  return runWorkerChecks(changed, KUBE_JOIN_CHECKS).find((finding) => finding.name === name);
}

function verdictsOf(changed: PreflightFacts): readonly string[] {
  return runWorkerChecks(changed, KUBE_JOIN_CHECKS)
    .filter(({ verdict }) => verdict !== 'pass')
    .map(({ name, verdict }) => `${name}: ${verdict}`);
}

test('machines that are fit pass every check', () => {
  expect(verdictsOf(facts)).toEqual([]);
  expect(verdictsOf(windows)).toEqual([]);
});

test.each<[string, Partial<PreflightFacts>, string]>([
  ['without rights', { host: { ...testHost, elevated: false } }, 'elevated: fail'],
  ['an old kernel', { host: { ...testHost, build: '4.18.0' } }, 'os-version: fail'],
  ['no control groups', { worker: { ...testLinuxFacts, cgroups: 'none' } }, 'features: fail'],
  ['no accounting of memory', { worker: { ...testLinuxFacts, cgroupControllers: ['cpu'] } }, 'features: fail'],
  ['swap', { worker: { ...testLinuxFacts, swap: ['/dev/sda2'] } }, 'swap: fail'],
  ['missing programs', { worker: { ...testLinuxFacts, missingPrograms: ['losetup'] } }, 'programs: fail'],
  ['no kubelet', { kubeletVersion: undefined }, 'programs: fail'],
  ['no forwarding', { worker: { ...testLinuxFacts, forwarding: false } }, 'forwarding: fail'],
  [
    'a dead runtime',
    { runtime: { endpoint: 'unix:///x', usable: false, problem: 'is gone' } },
    'container-runtime: fail',
  ],
  ['a busy port', { ports: [{ port: 10_250, free: false }] }, 'ports: fail'],
  ['leftovers', { leftovers: ['/etc/kubernetes/kubelet.conf'] }, 'leftover-state: fail'],
  ["someone else's kubelet", { foreignPrograms: ['/usr/local/bin/kubelet'] }, 'leftover-state: fail'],
  ['a name with blanks', { nodeName: 'my node' }, 'node-name: fail'],
  ['a full disk', { space: { disk: { path: '/', totalBytes: 1, freeBytes: 1 }, neededBytes: 2 } }, 'disk: fail'],
  ['little memory', { host: { ...testHost, totalMemoryBytes: 2 ** 28 } }, 'memory: fail'],
  ['a clock before its time', { madeAt: new Date('2027-01-01T00:00:00Z') }, 'clock: fail'],
])('a Linux machine with %s gets a finding that says so', (_what, change, verdict) => {
  expect(verdictsOf({ ...facts, ...change })).toContain(verdict);
});

test.each<[string, Partial<PreflightFacts>, string]>([
  ['an old build', { host: { ...windows.host, build: '14393' } }, 'os-version: fail'],
  ['no Containers feature', { worker: { ...testWindowsFacts, containersFeature: false } }, 'features: fail'],
  ['an unknown feature', { worker: { ...testWindowsFacts, containersFeature: undefined } }, 'features: warn'],
  ['no HNS', { worker: { ...testWindowsFacts, networkService: 'absent' } }, 'network-service: fail'],
  ['another system drive', { worker: { ...testWindowsFacts, systemDrive: 'D:' } }, 'drives: warn'],
  ['a long host name', { host: { ...windows.host, hostName: 'a-name-of-sixteen' } }, 'node-name: warn'],
])('a Windows machine with %s gets a finding that says so', (_what, change, verdict) => {
  expect(verdictsOf({ ...windows, ...change })).toContain(verdict);
});

test('on Windows the runtime check says whether the service or the pipe is missing', () => {
  const remedies = (['absent', 'stopped', 'running'] as const).map((containerdService) =>
    runtimeRemedy({ ...testWindowsFacts, containerdService }, 'npipe:////./pipe/containerd-containerd', {}),
  );
  expect(remedies).toEqual([
    expect.stringContaining('--register-service'),
    expect.stringContaining('sc.exe start containerd'),
    expect.stringContaining('--cri-socket'),
  ]);
});

test('trap 10: everything goes to the system drive, wherever keadm runs from', () => {
  const worker = { ...testWindowsFacts, programDrive: 'D:' };
  expect(findingOf('drives', { ...windows, worker })).toMatchObject({
    verdict: 'pass',
    reason: expect.stringMatching(/to C:.*from D:/),
  });
});

test('trap 14: a Ready node of the same name is refused, one that does not live is taken over', () => {
  const cluster = { server: 'https://c:6443', version: 'v1.33.4' };
  const judged = (ready: 'True' | 'False' | 'Unknown') =>
    findingOf('node-name', {
      ...facts,
      nameInCloud: judgeName({ ...cluster, existingNode: { ...readyNode, ready } }, facts.nodeName),
    });
  expect(judged('True')?.error).toMatchObject({
    code: 'NODE_NAME_TAKEN',
    hint: expect.stringContaining('--node-name'),
  });
  expect(judged('False')?.verdict).toBe('pass');
  expect(judged('Unknown')?.verdict).toBe('pass');
});

test('a kubelet that is too new or too old for the cluster is refused with both versions', () => {
  for (const [kubelet, server] of [
    ['v1.34.0', 'v1.33.9'],
    ['v1.29.0', 'v1.33.0'],
  ] as const) {
    const cluster = { server: 's', version: server, existingNode: undefined };
    const finding = findingOf('kubelet-version', { ...facts, kubeletVersion: kubelet, cluster });
    expect(finding?.error).toMatchObject({ code: 'VERSION_SKEW', details: { kubelet, apiServer: server } });
  }
});

test("a service that is someone else's is refused with its own error, whatever is waived", () => {
  const error = new OperatorError('SERVICE_CONFLICT', 'Cannot touch it', { hint: 'Leave it.' });
  const findings = runWorkerChecks({ ...facts, foreignService: error }, KUBE_JOIN_CHECKS);
  expect(() => requirePassed(findings, waivedChecks(['all'], KUBE_JOIN_CHECKS))).toThrow(error);
  expect(() => requirePassed(findings, ['service'])).toThrow(error);
  expect(() => waivedChecks(['service'], KUBE_JOIN_CHECKS)).toThrow(expect.objectContaining({ code: 'USAGE' }));
  expect(waivedChecks(['Service-Kubelet'], KUBE_JOIN_CHECKS)).toEqual([]);
});

/** The hint for two failures beside each other, and whatever is the matter with the service. */
function hintWith(foreignService: OperatorError | undefined): string {
  const unfit = { ...facts, kubeletVersion: undefined, ports: [{ port: 10_250, free: false }], foreignService };
  try {
    requirePassed(runWorkerChecks(unfit, KUBE_JOIN_CHECKS), []);
    return '';
  } catch (failure) {
    return failure instanceof OperatorError ? failure.hint : '';
  }
}

test('where a failure cannot be waived, no one is reported waiving', () => {
  const error = new OperatorError('SERVICE_CONFLICT', 'Cannot touch it', { hint: 'Leave it.' });
  expect(hintWith(undefined)).toContain('"--skip-check programs"');
  expect(hintWith(error)).toBe('Fix the problems above, then run the command again.');
});

test("the port of our own running kubelet is no one else's", () => {
  expect(verdictsOf({ ...facts, ports: [{ port: 10_250, free: false }], ownServiceRuns: true })).toEqual([]);
});

test('swap that the kubelet is instructed to live with is not a failure', () => {
  const worker = { ...testLinuxFacts, swap: ['/dev/sda2'] };
  expect(verdictsOf({ ...facts, worker, swapTolerated: true })).toEqual([]);
});

const waived = (...names: readonly string[]): readonly string[] => waivedChecks(names, KUBE_JOIN_CHECKS);

test('checks are waived by name, whatever the case', () => {
  expect(waived('Swap', 'ports')).toEqual(['swap', 'ports']);
});

test('all waives every check, and must stand alone', () => {
  expect(waived('all')).toEqual(KUBE_JOIN_CHECKS.map(({ name }) => name));
  expect(() => waived('all', 'swap')).toThrow(expect.objectContaining({ code: 'USAGE' }));
});

test("kubeadm's names mean the same, on Windows too", () => {
  expect(waived('CRI', 'Port-10250', String.raw`FileAvailable-\etc\kubernetes\kubelet.conf`, 'KubeletVersion')).toEqual(
    ['container-runtime', 'ports', 'leftover-state', 'kubelet-version'],
  );
  expect(waived('NumCPU')).toEqual([]);
});

test('names of earlier versions are accepted', () => {
  expect(waived('runtime', 'port-10250', 'existing-node')).toEqual(['container-runtime', 'ports', 'node-name']);
});

test('a typo is not a waiver', () => {
  expect(() => waived('swapp')).toThrow(
    expect.objectContaining({ code: 'USAGE', hint: expect.stringContaining('swap') }),
  );
});
