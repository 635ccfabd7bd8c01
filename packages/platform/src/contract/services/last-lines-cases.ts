import assert from 'node:assert/strict';
import { type ContractCase, contractCase } from '../case.ts';
import { eventually, rejectsWith, soon } from '../expectations.ts';
import type { ServiceBed } from '../service-bed.ts';
import { withService } from './scratch-service.ts';

/** What the noting program says when it is told to fail, in the words of its host. */
const LAST_WORDS = /told to fail at start/;
const MANY = 100;
const FEW = 2;

/** What a service has said, for whoever has to find out why it does not run. */
export function lastLinesCases(bed: ServiceBed): readonly ContractCase[] {
  const { services, cannotShow } = bed;
  return [
    contractCase('an absent service, and one that never ran, have said nothing', () =>
      withService(bed, {}, async ({ name }) => {
        assert.deepEqual(await services.lastLines(`${name}-absent`, MANY), []);
        assert.deepEqual(await services.lastLines(name, MANY), []);
      }),
    ),
    contractCase(
      'what a service said before it failed is told, and no more lines of it than asked for',
      () =>
        withService(bed, { behaviour: 'fail-at-start' }, async ({ name }) => {
          await rejectsWith('SERVICE_FAILED', () => services.start(name, soon()));
          await eventually('its last words are kept', async () =>
            (await services.lastLines(name, MANY)).some((line) => LAST_WORDS.test(line)),
          );
          assert.equal((await services.lastLines(name, FEW)).length, FEW);
        }),
      cannotShow['output-kept'],
    ),
  ];
}
