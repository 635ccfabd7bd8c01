import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ContractCase } from '@fenestra/platform/contract';
import { scmServices } from '@fenestra/platform-windows';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { soon, type WindowsBed, withService } from './windows-bed.ts';

/** Services that others have paused, or that say so of themselves. */
export function pausedServiceCases(bed: WindowsBed): readonly ContractCase[] {
  const services = scmServices(bed.native);
  return [
    {
      name: 'a paused service is told from one that works, goes on when it is started, and can be stopped',
      run: () =>
        withService(bed, { program: bed.pausedProgram }, async ({ name }) => {
          await promisify(execFile)('sc.exe', ['start', name]);
          const paused = await untilPaused(async () => (await services.status(name)).paused === true, soon());
          assert.ok(paused);
          assert.equal((await services.status(name)).state, 'running');
          await services.start(name, soon());
          const { state, paused: still } = await services.status(name);
          assert.deepEqual({ state, still }, { state: 'running', still: undefined });
          await services.stop(name, soon());
          assert.equal((await services.status(name)).state, 'stopped');
        }),
    },
    {
      name: 'a paused service can be stopped without going on first',
      run: () =>
        withService(bed, { program: bed.pausedProgram }, async ({ name }) => {
          await promisify(execFile)('sc.exe', ['start', name]);
          await untilPaused(async () => (await services.status(name)).paused === true, soon());
          await services.stop(name, soon());
          assert.equal((await services.status(name)).state, 'stopped');
        }),
    },
  ];
}

async function untilPaused(holds: () => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  while (!(await holds())) await sleep(50, undefined, { signal });
  return true;
}
