import { expect, test } from 'vitest';
import { resetResult } from './reset.command.ts';

const change = { outcome: 'applied', recovered: [], plan: [] } as const;
const report = {
  node: 'worker-1',
  removed: ['/var/lib/kubelet'],
  kept: [{ path: '/usr/local/bin/kubelet', why: 'keadm did not place it' }],
  inCluster: 'unknown',
  notes: ['The cluster may still list the node "worker-1"'],
} as const;

test('a reset shows what went, what stays and why, and what is left to do', () => {
  expect(resetResult(change, [], report)).toMatchObject({
    exitCode: 0,
    text: [
      'Removed the worker "worker-1" from this machine',
      '  deleted  /var/lib/kubelet',
      '  kept     /usr/local/bin/kubelet: keadm did not place it',
      'The cluster may still list the node "worker-1"',
    ].join('\n'),
  });
});

test('a second reset claims nothing', () => {
  const nothing = { ...report, removed: [], notes: [] };
  expect(resetResult({ ...change, outcome: 'unchanged' }, [], nothing).text).toBe(
    'Nothing to do: this machine has no worker',
  );
});

test('earlier work that was stuck, and was given up, is reported first', () => {
  const abandoned = { command: 'keadm kube upgrade', why: 'the disk is full', journal: '/j' };
  expect(resetResult(change, [abandoned], report).text).toMatch(
    /^Abandoned the operation "keadm kube upgrade", which could not be finished/,
  );
});
