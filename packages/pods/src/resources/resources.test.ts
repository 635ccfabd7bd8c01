import type { JsonObject } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import type { Container } from '../pod/container-fields.ts';
import type { Pod } from '../pod/pod.ts';
import { samplePod } from '../testing/sample-pods.ts';
import { linuxResources, qosOf, windowsResources, type MachineFacts } from './container-resources.ts';
import { cpuQuota, cpuShares } from './cpu.ts';
import { oomScore } from './oom-score.ts';
import { podCgroup, podUidOfCgroup, qosCgroups } from './pod-cgroup.ts';
import { podLimit, podRequest } from './pod-resources.ts';

const machine: MachineFacts = {
  cpuCount: 4,
  memoryBytes: 8 * 2 ** 30,
  cgroupVersion: 2,
  countsSwap: true,
  cpuQuota: true,
  singleProcessOomKill: false,
  hugePageSizes: ['2MB'],
};

function podOf(resources: JsonObject, spec: JsonObject = {}): Pod {
  return samplePod({ containers: [{ name: 'main', image: 'a', resources }], ...spec });
}

function mainOf({ spec }: Pod): Container {
  const [main] = spec.containers;
  if (main === undefined) throw new Error('no container');
  return main;
}

test.each([
  [0, 2],
  [0.001, 2],
  [0.1, 102],
  [1, 1024],
  [1000, 262_144],
])('%d processors weigh %i shares', (cpus, shares) => {
  expect(cpuShares(cpus)).toBe(shares);
});

test.each([
  [0.001, 1000],
  [0.5, 50_000],
  [2, 200_000],
])('a limit of %d processors is a quota of %i', (cpus, quota) => {
  expect(cpuQuota(cpus)).toBe(quota);
});

test('the limits of a container on Linux', () => {
  const pod = podOf({ limits: { cpu: '500m', memory: '128Mi' }, requests: { cpu: '250m' } });
  expect(linuxResources(pod, mainOf(pod), machine)).toEqual({
    cpuPeriod: 100_000n,
    cpuQuota: 50_000n,
    cpuShares: 256n,
    memoryLimitInBytes: 134_217_728n,
    memorySwapLimitInBytes: 134_217_728n,
    oomScoreAdj: 985n,
    hugepageLimits: [{ pageSize: '2MB', limit: 0n }],
    unified: { 'memory.oom.group': '1' },
  });
  const limited = linuxResources(pod, mainOf(pod), {
    ...machine,
    cgroupVersion: 1,
    cpuQuota: false,
    countsSwap: false,
  });
  expect(limited).toMatchObject({ cpuQuota: 0n, memorySwapLimitInBytes: 0n, unified: {} });
});

test('a limit of processors on Windows is a share of the machine', () => {
  const limits = (cpu: string): Container => mainOf(podOf({ limits: { cpu, memory: '1Gi' } }));
  expect(windowsResources(limits('2'), machine)).toEqual({ cpuMaximum: 5000n, memoryLimitInBytes: 2n ** 30n });
  expect(windowsResources(limits('99'), machine).cpuMaximum).toBe(10_000n);
  expect(windowsResources(mainOf(podOf({})), machine)).toEqual({ cpuMaximum: 0n, memoryLimitInBytes: 0n });
});

test('equal amounts are equal, however they are written', () => {
  expect(qosOf(podOf({ limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1000m', memory: '1024Mi' } }))).toBe(
    'Guaranteed',
  );
  expect(qosOf(podOf({ limits: { cpu: '1' } }))).toBe('Burstable');
  expect(qosOf(podOf({ requests: { cpu: '0' } }))).toBe('BestEffort');
});

test('the oom score follows the class of the pod and its share of the memory', () => {
  const score = (pod: Pod): number => oomScore(pod, mainOf(pod), machine.memoryBytes);
  expect(score(podOf({}))).toBe(1000);
  expect(score(podOf({ limits: { cpu: '1', memory: '1Gi' } }))).toBe(-997);
  expect(score(podOf({ requests: { memory: '4Gi' } }))).toBe(500);
  expect(score(podOf({ requests: { memory: '1Ki' } }))).toBe(999);
  expect(score(podOf({ requests: { memory: '8Gi' } }))).toBe(3);
  expect(score(podOf({}, { priority: 2_000_001_000 }))).toBe(-997);
  const sidecar = { name: 'proxy', image: 'a', restartPolicy: 'Always' };
  const pod = podOf({ requests: { memory: '4Gi' } }, { initContainers: [sidecar] });
  const [proxy] = pod.spec.initContainers ?? [];
  expect(proxy && oomScore(pod, proxy, machine.memoryBytes)).toBe(500);
});

function sized(name: string, cpu: string, more: JsonObject = {}): JsonObject {
  return {
    name,
    image: 'a',
    resources: { requests: { cpu } },
    ...more,
  };
}

test('a pod asks for the most that runs at the same time', () => {
  const always = { restartPolicy: 'Always' };
  const { spec } = samplePod({
    initContainers: [sized('i1', '5'), sized('s1', '1', always), sized('i2', '3'), sized('s2', '2', always)],
    containers: [sized('c1', '1'), sized('c2', '1')],
    overhead: { cpu: '500m' },
  });
  expect(podRequest(spec, 'cpu')).toBe(5.5);
  expect(podRequest({ ...spec, initContainers: spec.initContainers?.slice(1) ?? [] }, 'cpu')).toBe(5.5);
  expect(podLimit(spec, 'cpu')).toBeUndefined();
});

function names(pod: Pod): readonly string[] {
  return (['cgroupfs', 'systemd'] as const).map((driver) => podCgroup(pod, driver).path);
}

test('the cgroup of a pod has the name a kubelet gives it', () => {
  const guaranteed = podOf({ limits: { cpu: '500m', memory: '1Gi' } });
  expect(names(guaranteed)).toEqual(['/kubepods/poduid-1', '/kubepods.slice/kubepods-poduid_1.slice']);
  expect(names(podOf({}))).toEqual([
    '/kubepods/besteffort/poduid-1',
    '/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-poduid_1.slice',
  ]);
  expect(podCgroup(guaranteed, 'systemd')).toMatchObject({
    parent: 'kubepods-poduid_1.slice',
    cpuShares: 512,
    cpuQuota: 50_000,
    memoryLimitBytes: 2 ** 30,
  });
  expect(podCgroup(podOf({}), 'cgroupfs')).not.toHaveProperty('memoryLimitBytes');
});

test('the pod of a cgroup is found by its name', () => {
  expect(podUidOfCgroup('poduid-1')).toBe('uid-1');
  expect(podUidOfCgroup('kubepods-besteffort-poduid_1.slice')).toBe('uid-1');
  expect(podUidOfCgroup('burstable')).toBeUndefined();
});

test('the parent of burstable pods weighs what they ask for together', () => {
  const pods = [podOf({ requests: { cpu: '1' } }), podOf({ requests: { cpu: '500m' } }), podOf({})];
  expect(qosCgroups(pods, 'cgroupfs')).toEqual([
    { path: '/kubepods' },
    { path: '/kubepods/burstable', cpuShares: 1536 },
    { path: '/kubepods/besteffort', cpuShares: 2 },
  ]);
});
