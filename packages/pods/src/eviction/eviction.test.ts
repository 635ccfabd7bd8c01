import type { JsonObject } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { samplePod } from '../testing/sample-pods.ts';
import { evictionOrder, evictionRequest, type PodUsage } from './ranking.ts';
import { storageLimitExceeded } from './storage-limits.ts';
import {
  NO_PRESSURE,
  nodePressure,
  type EvictionSettings,
  type EvictionSignal,
  type NodePressure,
  type PressureMemory,
} from './thresholds.ts';

const settings: EvictionSettings = {
  hard: { 'memory.available': '100Mi', 'nodefs.available': '10%' },
  soft: { 'memory.available': '300Mi' },
  softGraceMs: { 'memory.available': 60_000 },
  minimumReclaim: { 'nodefs.available': '5%' },
  transitionMs: 300_000,
};
const MEBI = 2 ** 20;

function look(
  memoryMebi: number,
  diskPercent: number,
  now: number,
  before: PressureMemory = NO_PRESSURE,
): NodePressure {
  const supplies = new Map<EvictionSignal, { available: number; capacity: number }>([
    ['memory.available', { available: memoryMebi * MEBI, capacity: 4096 * MEBI }],
    ['nodefs.available', { available: diskPercent, capacity: 100 }],
  ]);
  return nodePressure(supplies, settings, before, now);
}

test('a hard threshold counts at once, as an amount or a share', () => {
  expect(look(200, 50, 0)).toMatchObject({ crossed: [], conditions: new Set() });
  expect(look(99, 50, 0)).toMatchObject({ crossed: [{ signal: 'memory.available', hard: true }] });
  expect(look(999, 9, 0).conditions).toEqual(new Set(['DiskPressure']));
});

test('a soft threshold counts when it has been crossed for its time', () => {
  const first = look(200, 50, 0);
  expect(look(200, 50, 59_000, first.memory).crossed).toEqual([]);
  expect(look(200, 50, 60_000, first.memory).crossed).toMatchObject([{ hard: false }]);
  const relieved = look(400, 50, 30_000, first.memory);
  expect(look(200, 50, 60_000, relieved.memory).crossed).toEqual([]);
});

test('a soft threshold without a time has no effect', () => {
  const supplies = new Map([['memory.available' as const, { available: 200 * MEBI, capacity: 4096 * MEBI }]]);
  expect(nodePressure(supplies, { ...settings, softGraceMs: {} }, NO_PRESSURE, 0).crossed).toEqual([]);
});

test('a threshold that was crossed stays so until the minimum is freed as well', () => {
  const { memory } = look(999, 9, 0);
  expect(look(999, 14, 1, memory).crossed).toMatchObject([{ signal: 'nodefs.available' }]);
  expect(look(999, 15, 1, memory).crossed).toEqual([]);
  expect(look(999, 14, 1).crossed).toEqual([]);
});

test('a condition outlasts its cause for a time', () => {
  const { memory } = look(50, 50, 0);
  expect(look(400, 50, 299_000, memory).conditions).toEqual(new Set(['MemoryPressure']));
  expect(look(400, 50, 300_000, memory).conditions).toEqual(new Set());
});

test('without a transition period, a condition ends with its cause, even within a millisecond', () => {
  const atOnce = { ...settings, transitionMs: 0 };
  const supply = (available: number) => new Map([['memory.available' as const, { available, capacity: 4096 * MEBI }]]);
  const { memory, conditions } = nodePressure(supply(0), atOnce, NO_PRESSURE, 0);
  expect(conditions).toEqual(new Set(['MemoryPressure']));
  expect(nodePressure(supply(4096 * MEBI), atOnce, memory, 0).conditions).toEqual(new Set());
});

function usage(uid: string, memoryMebi: number, spec: JsonObject = {}, requests: JsonObject = {}): PodUsage {
  const containers = [{ name: 'main', image: 'a', resources: { requests } }];
  const pod = samplePod({ containers, ...spec }, { uid });
  return { pod, memoryBytes: memoryMebi * MEBI, diskBytes: memoryMebi, inodes: -memoryMebi, processes: memoryMebi };
}

function order(signal: EvictionSignal, ...usages: readonly PodUsage[]): readonly string[] {
  return evictionOrder(signal, usages).map(({ pod }) => pod.metadata.uid);
}

test('pods above their request go first, then by priority, then by what they use', () => {
  const modest = usage('modest', 100, {}, { memory: '200Mi' });
  const greedy = usage('greedy', 300, { priority: 5 }, { memory: '200Mi' });
  const larger = usage('larger', 500, { priority: 5 }, { memory: '200Mi' });
  const low = usage('low', 10, { priority: 1 });
  expect(order('memory.available', modest, greedy, larger, low)).toEqual(['low', 'larger', 'greedy', 'modest']);
  expect(order('pid.available', larger, low, modest)).toEqual(['modest', 'low', 'larger']);
  expect(order('nodefs.inodesFree', greedy, larger, modest)).toEqual(['modest', 'greedy', 'larger']);
});

test('a pod without which the node cannot work is never evicted', () => {
  const critical = usage('critical', 900, { priorityClassName: 'system-node-critical' });
  expect(order('memory.available', critical, usage('plain', 1))).toEqual(['plain']);
});

test('an eviction names the resource and its threshold', () => {
  const [crossed] = look(99, 50, 0).crossed;
  const request = crossed && evictionRequest(usage('a', 1), crossed, 10);
  expect(request).toEqual({
    cause: 'evicted',
    reason: 'Evicted',
    message: 'The node was low on resource: memory. Threshold quantity: 100Mi, available: 101376Ki. ',
    graceSeconds: 1,
  });
  expect(crossed && evictionRequest(usage('a', 1), { ...crossed, hard: false }, 10).graceSeconds).toBe(10);
});

test.each([
  [
    { emptyDir: { sizeLimit: '1Ki' } },
    {},
    [['main', 0]],
    [['v', 1025]],
    'Usage of EmptyDir volume "v" exceeds the limit "1Ki". ',
  ],
  [{ emptyDir: { sizeLimit: '1Ki' } }, {}, [['main', 0]], [['v', 1024]], undefined],
  [{ emptyDir: { medium: 'Memory', sizeLimit: '1Ki' } }, {}, [], [['v', 2000]], undefined],
  [
    { emptyDir: {} },
    { limits: { 'ephemeral-storage': '1Ki' } },
    [['main', 600]],
    [['v', 600]],
    'Pod ephemeral local storage usage exceeds the total limit of containers 1Ki. ',
  ],
] as const)('with the volume %j and %j, a use of %j and %j: %s', (volume, resources, containers, volumes, message) => {
  const pod = samplePod({ containers: [{ name: 'main', image: 'a', resources }], volumes: [{ name: 'v', ...volume }] });
  const found = storageLimitExceeded(pod, { containers: new Map(containers), volumes: new Map(volumes) });
  expect(found?.message).toBe(message);
});

test('a container has its own limit of the disk', () => {
  const limits = { 'ephemeral-storage': '1Ki' };
  const pod = samplePod({
    containers: [
      { name: 'a', image: 'a', resources: { limits } },
      { name: 'b', image: 'b' },
    ],
  });
  const found = storageLimitExceeded(pod, { containers: new Map([['a', 1025]]), volumes: new Map() });
  expect(found?.message).toBe('Container a exceeded its local ephemeral storage limit "1Ki". ');
});
