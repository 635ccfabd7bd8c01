import assert from 'node:assert/strict';
import { type ContractCase, contractCase } from '../case.ts';
import { eventually, rejectsWith, soon } from '../expectations.ts';
import type { ServiceBed } from '../service-bed.ts';
import { withService } from './scratch-service.ts';

/** Telling a running service something. */
export function controlCases(bed: ServiceBed): readonly ContractCase[] {
  const { services } = bed;
  return [
    contractCase('reload reaches the running program, which goes on running', () =>
      withService(bed, {}, async ({ name, pid, noted }) => {
        await services.start(name, soon());
        const before = await pid();
        await services.control(name, 'reload');
        await noted('reloaded');
        assert.equal(await pid(), before);
      }),
    ),
    contractCase('a service that does not run cannot be told anything', () =>
      withService(bed, {}, async ({ name }) => {
        await rejectsWith('SERVICE_CONFLICT', () => services.control(name, 'reload'));
      }),
    ),
    contractCase('a reload right after start is not lost', () =>
      withService(bed, {}, async ({ name, notes }) => {
        await services.start(name, soon());
        await services.control(name, 'reload');
        await eventually('the reload is noted', async () => (await notes()).join() === 'started,reloaded');
        assert.equal((await services.status(name)).state, 'running');
      }),
    ),
  ];
}
