import { expect, test } from 'vitest';
import { aliveMsOf, exitCodeOf, mainPidOf, parseProperties, unitStateOf } from './units.ts';

test.each([
  [{ LoadState: 'not-found', ActiveState: 'inactive' }, 'absent'],
  [{ LoadState: 'not-found', ActiveState: 'failed' }, 'absent'],
  [{ LoadState: 'not-found', ActiveState: 'active' }, 'running'],
  [{ LoadState: 'loaded', ActiveState: 'inactive' }, 'stopped'],
  [{ LoadState: 'loaded', ActiveState: 'failed' }, 'failed'],
  [{ LoadState: 'loaded', ActiveState: 'activating', SubState: 'start' }, 'starting'],
  [{ LoadState: 'loaded', ActiveState: 'activating', SubState: 'auto-restart' }, 'failed'],
  [{ LoadState: 'loaded', ActiveState: 'activating', SubState: 'auto-restart-queued' }, 'failed'],
  [{ LoadState: 'loaded', ActiveState: 'activating', SubState: 'start-pre', NRestarts: '0' }, 'starting'],
  [{ LoadState: 'loaded', ActiveState: 'activating', SubState: 'start-pre', NRestarts: '2' }, 'failed'],
  [{ LoadState: 'loaded', ActiveState: 'deactivating' }, 'stopping'],
])('unitStateOf reads %o as "%s"', (properties, state) => {
  expect(unitStateOf(properties)).toBe(state);
});

test('parseProperties keeps values with equals signs and leaves out what was not asked for', () => {
  expect(parseProperties('LoadState=loaded\nFragmentPath=/a=b\nOther=1\n\n')).toEqual({
    LoadState: 'loaded',
    FragmentPath: '/a=b',
  });
});

test('exitCodeOf tells an exit from a signal and from a process that still runs', () => {
  expect(exitCodeOf({ ExecMainCode: '1', ExecMainStatus: '203' })).toBe(203);
  expect(exitCodeOf({ ExecMainCode: '2', ExecMainStatus: '9' })).toBe(137);
  expect(exitCodeOf({ ExecMainCode: '0', ExecMainStatus: '0' })).toBeUndefined();
});

test('numbers are read from text', () => {
  expect([mainPidOf({ MainPID: '0' }), mainPidOf({ MainPID: '7' })]).toEqual([undefined, 7]);
  expect(aliveMsOf({ ExecMainStartTimestampMonotonic: '2000000' }, 5_000_000_000n)).toBe(3000);
});
