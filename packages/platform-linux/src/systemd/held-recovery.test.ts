import { expect, test } from 'vitest';
import { heldRecovery, parseTimespan } from './held-recovery.ts';
import type { UnitProperties } from './units.ts';

const restarting: UnitProperties = { Restart: 'on-failure', RestartUSec: '1min' };

test.each<[string, UnitProperties, readonly number[]]>([
  ['without steps is the same each time', restarting, [60]],
  ['with steps but no end to them is the same each time', { ...restarting, RestartSteps: '2' }, [60]],
  [
    'without steps is the same each time, whatever the longest is',
    { ...restarting, RestartSteps: '0', RestartMaxDelayUSec: '5min' },
    [60],
  ],
  [
    'with steps grows by the same factor',
    { ...restarting, RestartSteps: '2', RestartMaxDelayUSec: '5min' },
    [60, 134.164, 300],
  ],
  ['of a unit that is not restarted is none', { ...restarting, Restart: 'no' }, []],
  ['of a unit that systemd does not know is none', {}, []],
])('the wait %s', (_, properties, delays) => {
  expect(heldRecovery(properties)).toEqual({ restartDelaysSeconds: delays, resetAfterSeconds: Infinity });
});

test.each([
  ['1min', 60],
  ['1min 30s', 90],
  ['1.5s', 1.5],
  ['100ms', 0.1],
  ['1w 1d', 691_200],
  ['0', 0],
  ['infinity', Infinity],
  ['', undefined],
  ['5 apples', undefined],
])('parseTimespan reads "%s" as %s', (text, seconds) => {
  expect(parseTimespan(text)).toBe(seconds);
});
