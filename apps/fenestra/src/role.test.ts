import { expect, test } from 'vitest';
import { pickRole } from './role.ts';

test.each([
  ['/usr/bin/keadm', ['doctor'], 'keadm', ['doctor']],
  ['C:\\etc\\kubeedge\\bin\\EDGECORE.EXE', ['--state-folder', 'x'], 'edgecore', ['--state-folder', 'x']],
  ['./fenestra', ['edgecore', '--help'], 'edgecore', ['--help']],
  ['./fenestra', ['doctor'], 'keadm', ['doctor']],
  ['./fenestra', [], 'keadm', []],
  ['/usr/bin/keadm', ['edgecore'], 'edgecore', []],
  ['/usr/bin/keadm', ['supervise', '/x'], 'supervise', ['/x']],
  ['C:\\var\\lib\\fenestra\\worker\\keadm.exe', ['kubelet'], 'kubelet', []],
  ['/usr/bin/keadm', ['kube', 'join'], 'keadm', ['kube', 'join']],
])('pickRole: %s %j plays %s with %j', (calledAs, args, role, left) => {
  expect(pickRole(calledAs, args)).toEqual({ role, args: left });
});
