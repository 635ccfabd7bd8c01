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
])('pickRole: %s %j plays %s with %j', (calledAs, args, role, left) => {
  expect(pickRole(calledAs, args)).toEqual({ role, args: left });
});
