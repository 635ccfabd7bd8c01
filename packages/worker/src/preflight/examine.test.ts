import { OperatorError } from '@fenestra/kernel';
import { requirePassed } from '@fenestra/session';
import { expect, test } from 'vitest';
import { testHost, testLinuxFacts, testWindowsFacts } from '../testing/test-worker.ts';
import { examine, KUBE_JOIN_CHECKS } from './examine.ts';
import type { PreflightFacts } from './preflight-facts.ts';
import { waivedChecks } from './waived-checks.ts';

const facts: PreflightFacts = {
  host: testHost,
  worker: testLinuxFacts,
  madeAt: new Date('2026-01-01T00:00:00Z'),
  nodeName: 'worker-1',
  runtime: { endpoint: 'unix:///run/containerd/containerd.sock', usable: true, version: 'containerd 1.7.0' },
  kubeletPortFree: true,
  service: { state: 'absent' },
  foreignService: undefined,
  leftovers: [],
  strangePrograms: [],
  programDisk: { path: '/usr/local/bin', totalBytes: 2 ** 40, freeBytes: 2 ** 39 },
  programBytes: 2 ** 27,
  swapTolerated: false,
  kubeletVersion: 'v1.33.1',
  cluster: { server: 'https://c:6443', version: 'v1.33.4', existingNode: undefined },
};
const windows: PreflightFacts = { ...facts, host: { ...testHost, os: 'windows' }, worker: testWindowsFacts };
const readyNode = {
  ready: 'True',
  readyReason: '',
  readyMessage: '',
  schedulable: true,
  kubeletVersion: 'v1.33.1',
  labels: {},
  annotations: {},
} as const;

function verdictsOf(changed: PreflightFacts): readonly string[] {
  return examine(changed, KUBE_JOIN_CHECKS)
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
  ['swap', { worker: { ...testLinuxFacts, swap: ['/dev/sda2'] } }, 'swap: fail'],
  ['missing programs', { worker: { ...testLinuxFacts, missingPrograms: ['losetup'] } }, 'programs: fail'],
  ['no kubelet', { kubeletVersion: undefined }, 'programs: fail'],
  ['no forwarding', { worker: { ...testLinuxFacts, forwarding: false } }, 'forwarding: fail'],
  ['a dead runtime', { runtime: { endpoint: 'unix:///x', usable: false, problem: 'is gone' } }, 'runtime: fail'],
  ['a busy port', { kubeletPortFree: false }, 'port-10250: fail'],
  ['leftovers', { leftovers: ['/etc/kubernetes/kubelet.conf'] }, 'leftover-state: fail'],
  ["somebody else's kubelet", { strangePrograms: ['/usr/local/bin/kubelet'] }, 'leftover-state: fail'],
  ['a name with blanks', { nodeName: 'my node' }, 'node-name: fail'],
  ['a full disk', { programDisk: { path: '/', totalBytes: 1, freeBytes: 1 } }, 'disk: fail'],
  ['little memory', { host: { ...testHost, totalMemoryBytes: 2 ** 28 } }, 'memory: fail'],
  ['a clock before its time', { madeAt: new Date('2027-01-01T00:00:00Z') }, 'clock: fail'],
])('a Linux machine with %s is told so', (_what, change, verdict) => {
  expect(verdictsOf({ ...facts, ...change })).toContain(verdict);
});

test.each<[string, Partial<PreflightFacts>, string]>([
  ['an old build', { worker: { ...testWindowsFacts, build: 14_393 } }, 'os-version: fail'],
  ['no Containers feature', { worker: { ...testWindowsFacts, containersFeature: false } }, 'features: fail'],
  ['an unknown feature', { worker: { ...testWindowsFacts, containersFeature: undefined } }, 'features: warn'],
  ['no HNS', { worker: { ...testWindowsFacts, networkService: 'absent' } }, 'network-service: fail'],
  ['another system drive', { worker: { ...testWindowsFacts, systemDrive: 'D:' } }, 'drives: warn'],
  ['a long host name', { host: { ...windows.host, hostName: 'a-name-of-sixteen' } }, 'node-name: warn'],
])('a Windows machine with %s is told so', (_what, change, verdict) => {
  expect(verdictsOf({ ...windows, ...change })).toContain(verdict);
});

test('on Windows the runtime check says whether the service or the pipe is missing', () => {
  const dead = { endpoint: 'npipe:////./pipe/containerd-containerd', usable: false, problem: 'is not there' };
  const remedies = (['absent', 'stopped', 'running'] as const).map((containerdService) => {
    const worker = { ...testWindowsFacts, containerdService };
    return examine({ ...windows, worker, runtime: dead }, ['runtime'])[0]?.remedy;
  });
  expect(remedies).toEqual([
    expect.stringContaining('--register-service'),
    expect.stringContaining('sc.exe start containerd'),
    expect.stringContaining('--cri-socket'),
  ]);
});

test('trap 10: everything goes to the system drive, wherever keadm runs from', () => {
  const worker = { ...testWindowsFacts, programDrive: 'D:' };
  expect(examine({ ...windows, worker }, ['drives'])[0]).toMatchObject({
    verdict: 'pass',
    reason: expect.stringMatching(/to C:.*from D:/),
  });
});

test('trap 14: a Ready node of the same name is refused, one that does not live is taken over', () => {
  const cluster = { server: 'https://c:6443', version: 'v1.33.4' };
  const judged = (ready: 'True' | 'False' | 'Unknown') =>
    examine({ ...facts, cluster: { ...cluster, existingNode: { ...readyNode, ready } } }, ['existing-node'])[0];
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
    const [finding] = examine({ ...facts, kubeletVersion: kubelet, cluster }, ['kubelet-version']);
    expect(finding?.error).toMatchObject({ code: 'VERSION_SKEW', details: { kubelet, apiServer: server } });
  }
});

test("a service that is somebody else's is refused with its own error, whatever is waived", () => {
  const error = new OperatorError('SERVICE_CONFLICT', 'Cannot touch it', { hint: 'Leave it.' });
  const findings = examine({ ...facts, foreignService: error }, KUBE_JOIN_CHECKS);
  expect(() => requirePassed(findings, waivedChecks(['all'], KUBE_JOIN_CHECKS))).toThrow(error);
  expect(() => requirePassed(findings, ['service'])).toThrow(error);
  expect(() => waivedChecks(['service'], KUBE_JOIN_CHECKS)).toThrow(expect.objectContaining({ code: 'USAGE' }));
  expect(waivedChecks(['Service-Kubelet'], KUBE_JOIN_CHECKS)).toEqual(['']);
});

/** The hint for two failures beside each other, and whatever is the matter with the service. */
function hintWith(foreignService: OperatorError | undefined): string {
  const unfit = { ...facts, kubeletVersion: undefined, kubeletPortFree: false, foreignService };
  try {
    requirePassed(examine(unfit, ['programs', 'port-10250']), []);
    return '';
  } catch (failure) {
    return failure instanceof OperatorError ? failure.hint : '';
  }
}

test('where a failure cannot be waived, nobody is told of waiving', () => {
  const error = new OperatorError('SERVICE_CONFLICT', 'Cannot touch it', { hint: 'Leave it.' });
  expect(hintWith(undefined)).toContain('"--skip-check programs"');
  expect(hintWith(error)).toBe('Fix the problems above, then run the command again.');
});

test("the port of our own running kubelet is nobody else's", () => {
  expect(verdictsOf({ ...facts, kubeletPortFree: false, service: { state: 'running', pid: 1 } })).toEqual([]);
});

test('swap that the kubelet is told to live with is no failure', () => {
  const worker = { ...testLinuxFacts, swap: ['/dev/sda2'] };
  expect(verdictsOf({ ...facts, worker, swapTolerated: true })).toEqual([]);
});
