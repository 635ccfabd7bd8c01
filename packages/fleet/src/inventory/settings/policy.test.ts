import { expect, test } from 'vitest';
import type { RunPolicy } from '../../run/policy.ts';
import type { BatchFile } from '../file/schema.ts';
import { newFindings } from './findings.ts';
import { runPolicy } from './policy.ts';

const NODES = Array.from({ length: 200 }, (_, index) => ({
  groups: index < 30 ? ['shops'] : [],
  labels: { kind: index === 0 ? 'test' : 'live' },
}));

function policy(file: BatchFile, count = NODES.length): RunPolicy {
  const findings = newFindings();
  const made = runPolicy(file, NODES.slice(0, count), findings);
  expect(findings.problems).toEqual([]);
  return made;
}

test('a file that says nothing gets one wave, 32 connections, and a halt after a fifth of the nodes, and never before the third', () => {
  expect(policy({})).toEqual({
    budgets: { connections: 32, bytesInFlight: 4 * 2 ** 30, disrupted: 32, disruptedPerGroup: {} },
    waves: [{ name: 'all', size: { percent: 100 }, labels: {}, soakSeconds: 0 }],
    halt: { failedPercent: 20, harmlessNodes: 2, failedNodes: 200 },
    onHalt: 'hold',
    unreachable: 'go-on',
  });
  expect(policy({}, 12).halt).toEqual({ failedPercent: 20, harmlessNodes: 2, failedNodes: 12 });
});

test('maxRunNum is the number of connections, and shares are rounded up', () => {
  const file: BatchFile = {
    maxRunNum: 5,
    limits: { disrupted: '1.1%', bytesInFlight: '64MiB' },
    groups: { shops: { maxDisrupted: '10%' }, empty: { maxDisrupted: '10%' }, all: { maxDisrupted: 7 } },
  };
  expect(policy(file).budgets).toEqual({
    connections: 5,
    bytesInFlight: 2 ** 26,
    disrupted: 3,
    disruptedPerGroup: { shops: 3, empty: 1, all: 7 },
  });
});

test('waves end with one that takes what is left, unless the last does already', () => {
  const waves = [{ name: 'canary', size: 1, labels: { kind: 'test' }, soak: '10m' }, { size: '10%' }];
  expect(policy({ waves }).waves).toEqual([
    { name: 'canary', size: { nodes: 1 }, labels: { kind: 'test' }, soakSeconds: 600 },
    { name: 'wave-2', size: { percent: 10 }, labels: {}, soakSeconds: 0 },
    { name: 'rest', size: { percent: 100 }, labels: {}, soakSeconds: 0 },
  ]);
  expect(policy({ waves: [{ name: 'rest', size: 1 }] }).waves.map(({ name }) => name)).toEqual(['rest', 'remaining']);
  expect(policy({ waves: [{ size: 1 }, { size: '100%' }] }).waves).toHaveLength(2);
});

test('with waves more than a fifth of one halts the run; what the file says counts instead', () => {
  const waves = [{ size: 5 }];
  expect(policy({ waves }).halt).toEqual({ failedPercent: 20, harmlessNodes: 0, failedNodes: 200 });
  expect(policy({ waves, halt: { failedNodes: 4 } }).halt).toEqual({
    failedPercent: 100,
    harmlessNodes: 0,
    failedNodes: 4,
  });
  expect(policy({ halt: { failedPercent: 0 } }).halt).toEqual({ failedPercent: 0, harmlessNodes: 0, failedNodes: 200 });
  expect(policy({ onHalt: 'roll-back', unreachable: 'stop' })).toMatchObject({
    onHalt: 'roll-back',
    unreachable: 'stop',
  });
});
