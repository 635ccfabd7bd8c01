import assert from 'node:assert/strict';
import { type ContractCase, contractCase } from '../case.ts';
import { rejectsWith, soon } from '../expectations.ts';
import type { ServiceBed } from '../service-bed.ts';
import { withService } from './scratch-service.ts';

/** Waits that are cut short. */
export function interruptionCases(bed: ServiceBed): readonly ContractCase[] {
  const { services } = bed;
  return [
    contractCase('a start whose signal has already fired is interrupted and starts nothing', () =>
      withService(bed, {}, async ({ name }) => {
        await rejectsWith('INTERRUPTED', () => services.start(name, AbortSignal.abort()));
        assert.equal((await services.status(name)).state, 'stopped');
      }),
    ),
    contractCase('a start that is interrupted half-way says so', () =>
      withService(bed, { behaviour: 'slow-start' }, async ({ name }) => {
        await rejectsWith('INTERRUPTED', () => services.start(name, abortIn(500)));
      }),
    ),
    contractCase('a stop that is interrupted or late says so, and can be waited for again', () =>
      withService(bed, { behaviour: 'slow-stop' }, async ({ name, notes }) => {
        await services.start(name, soon());
        await rejectsWith('INTERRUPTED', () => services.stop(name, abortIn(300)));
        await rejectsWith('TIMED_OUT', () => services.stop(name, AbortSignal.timeout(300)));
        await services.stop(name, soon());
        assert.equal((await services.status(name)).state, 'stopped');
        assert.deepEqual(await notes(), ['started', 'stopped']);
      }),
    ),
  ];
}

function abortIn(milliseconds: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), milliseconds);
  return controller.signal;
}
