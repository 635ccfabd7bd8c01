import { test } from 'vitest';
import { machineOf } from '../../support/machines/keadm-machine.ts';
import { isShortRun } from '../../support/reporting/short-run.ts';
import { lifeCases } from './life-cases.ts';

if (isShortRun()) {
  test('the life of a node on Linux without systemd', ({ skip }) =>
    skip('it runs with "npm run e2e -- lifecycle": together with all the others there is no time for a third machine'));
} else {
  lifeCases(machineOf('Linux without systemd'));
}
