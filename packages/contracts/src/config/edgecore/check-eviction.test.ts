import { expect, test } from 'vitest';
import { loadEdgecoreConfig } from './load.ts';

function load(settings: object) {
  const edged = { tailoredKubeletConfig: settings };
  const config = { apiVersion: 'edgecore.config.kubeedge.io/v1alpha2', kind: 'EdgeCore', modules: { edged } };
  return loadEdgecoreConfig(JSON.stringify(config), 'edgecore.yaml', 'linux');
}

function problemsOf(settings: object): readonly string[] {
  try {
    load(settings);
    return [];
  } catch (error) {
    return error instanceof Error ? error.message.split('\n').slice(1) : [];
  }
}

test.each([
  [{ evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '12.5%', 'pid.available': '1k' } }],
  [{ evictionSoft: { 'memory.available': '1Gi' }, evictionSoftGracePeriod: { 'memory.available': '1m30s' } }],
  [{ evictionSoft: { 'memory.available': '1Gi' }, evictionSoftGracePeriod: { 'memory.available': '0s' } }],
])('these thresholds are accepted: %j', (settings) => {
  expect(load(settings).notes).toEqual([]);
});

test.each([
  [{ evictionHard: { 'containerfs.available': '10%' } }, 'evictionHard["containerfs.available"]'],
  [{ evictionHard: { 'allocatableMemory.available': '1Gi' } }, 'evictionHard["allocatableMemory.available"]'],
  [{ evictionMinimumReclaim: { 'containerfs.inodesFree': '5%' } }, 'evictionMinimumReclaim["containerfs.inodesFree"]'],
  [{ evictionSoft: { 'memory.available': '1Gi' } }, 'evictionSoft["memory.available"]'],
  [{ containerLogMaxFiles: 1 }, 'containerLogMaxFiles'],
])('what a node of an older version accepted is accepted with a note: %j', (settings, field) => {
  expect(load(settings).notes.map(({ path }) => path)).toEqual([`modules.edged.tailoredKubeletConfig.${field}`]);
});

test.each([
  [{ evictionHard: { 'memory.free': '1Gi' } }, 'evictionHard["memory.free"]: is not one of memory.available'],
  [{ evictionHard: { 'memory.available': 'much' } }, 'evictionHard["memory.available"]: must be a share'],
  [{ evictionHard: { 'memory.available': '101%' } }, 'evictionHard["memory.available"]: must be a share'],
  [
    { evictionSoft: { 'memory.available': '1Gi' }, evictionSoftGracePeriod: { 'memory.available': 'soon' } },
    'evictionSoftGracePeriod["memory.available"]: must be a span of time',
  ],
  [
    { evictionSoftGracePeriod: { 'memory.available': '-1m' } },
    'evictionSoftGracePeriod["memory.available"]: must be a span of time',
  ],
])('these thresholds are refused, and it says why: %j', (settings, problem) => {
  expect(problemsOf(settings)).toEqual([expect.stringContaining(problem)]);
});
