import { expect, test } from 'vitest';
import { loadEdgecoreConfig } from './load.ts';

function problemsOf(settings: object): readonly string[] {
  const edged = { tailoredKubeletConfig: settings };
  const config = { apiVersion: 'edgecore.config.kubeedge.io/v1alpha2', kind: 'EdgeCore', modules: { edged } };
  try {
    loadEdgecoreConfig(JSON.stringify(config), 'edgecore.yaml', 'linux');
    return [];
  } catch (error) {
    return error instanceof Error ? error.message.split('\n').slice(1) : [];
  }
}

test.each([
  [{ evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '12.5%', 'pid.available': '1k' } }],
  [{ evictionSoft: { 'memory.available': '1Gi' }, evictionSoftGracePeriod: { 'memory.available': '1m30s' } }],
])('these thresholds are accepted: %j', (settings) => {
  expect(problemsOf(settings)).toEqual([]);
});

test.each([
  [{ evictionHard: { 'memory.free': '1Gi' } }, 'evictionHard["memory.free"]: is not one of memory.available'],
  [{ evictionHard: { 'memory.available': 'much' } }, 'evictionHard["memory.available"]: must be a share'],
  [{ evictionHard: { 'memory.available': '101%' } }, 'evictionHard["memory.available"]: must be a share'],
  [{ evictionSoft: { 'memory.available': '1Gi' } }, 'needs evictionSoftGracePeriod["memory.available"]'],
  [
    { evictionSoft: { 'memory.available': '1Gi' }, evictionSoftGracePeriod: { 'memory.available': 'soon' } },
    'evictionSoftGracePeriod["memory.available"]: must be a span of time',
  ],
])('these thresholds are refused, and it says why: %j', (settings, problem) => {
  expect(problemsOf(settings)).toEqual([expect.stringContaining(problem)]);
});
