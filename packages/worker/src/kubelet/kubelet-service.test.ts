import type { WindowsWorkerFacts } from '@fenestra/platform';
import { expect, test } from 'vitest';
import { kubeletService } from './kubelet-service.ts';

const layout = { hostExecutable: 'C:\\var\\lib\\fenestra\\worker\\keadm.exe' };
const facts: WindowsWorkerFacts = {
  os: 'windows',
  systemDrive: 'C:',
  build: 20_348,
  containersFeature: true,
  networkService: 'running',
  containerdService: 'running',
  programDrive: 'C:',
};

test('the service starts our own program, which knows what to tell the kubelet', () => {
  const { name, executable, args } = kubeletService({ layout, facts, root: undefined });
  expect({ name, executable, args }).toEqual({ name: 'kubelet', executable: layout.hostExecutable, args: ['kubelet'] });
  expect(kubeletService({ layout, facts, root: '/srv' }).args).toEqual(['kubelet', '--root', '/srv']);
});

test('it waits for containerd only where that is a service of Windows', () => {
  expect(dependenciesWith({})).toEqual(['containerd']);
  expect(dependenciesWith({ containerdService: 'stopped' })).toEqual(['containerd']);
  expect(dependenciesWith({ containerdService: 'absent' })).toEqual([]);
});

test('it is brought back within seconds, since a kubelet without its certificate ends by itself', () => {
  const { recovery } = kubeletService({ layout, facts, root: undefined });
  expect(Math.max(...recovery.restartDelaysSeconds)).toBeLessThanOrEqual(30);
});

function dependenciesWith(change: Partial<WindowsWorkerFacts>): readonly string[] {
  return kubeletService({ layout, facts: { ...facts, ...change }, root: undefined }).dependencies;
}
