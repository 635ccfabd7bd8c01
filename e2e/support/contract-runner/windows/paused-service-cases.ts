import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ContractCase } from '@fenestra/platform/contract';
import { scmServices } from '@fenestra/platform-windows';
import { soon, type WindowsBed, withService } from './windows-bed.ts';

/** Services that others have paused, or that say so of themselves. */
export function pausedServiceCases(bed: WindowsBed): readonly ContractCase[] {
  const services = scmServices(bed.native);
  return [
    {
      name: 'a paused service is distinguished from one that works, and goes on when it is started',
      run: () =>
        withPausedService(bed, async (name) => {
          assert.equal((await services.status(name)).state, 'running');
          await services.start(name, soon());
          const { state, paused } = await services.status(name);
          assert.deepEqual({ state, paused }, { state: 'running', paused: undefined });
        }),
    },
    {
      name: 'a paused service can be stopped without going on first',
      run: () =>
        withPausedService(bed, async (name) => {
          await services.stop(name, soon());
          assert.equal((await services.status(name)).state, 'stopped');
        }),
    },
  ];
}

async function withPausedService(bed: WindowsBed, use: (name: string) => Promise<void>): Promise<void> {
  const services = scmServices(bed.native);
  await withService(bed, { program: bed.pausedProgram }, async ({ name }) => {
    await services.start(name, soon());
    const signal = soon();
    while ((await services.status(name)).paused !== true) await sleep(50, undefined, { signal });
    await use(name);
  });
}
