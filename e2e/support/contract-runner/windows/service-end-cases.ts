import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceStatus } from '@fenestra/platform';
import type { ContractCase } from '@fenestra/platform/contract';
import { scmServices } from '@fenestra/platform-windows';
import { soon, type WindowsBed, withService } from './windows-bed.ts';

const PROCESS_ABORTED = 1067;
const OWN_CODE = 1;

/** How the end of a service's program reads to the Service Control Manager. */
export function serviceEndCases(bed: WindowsBed): readonly ContractCase[] {
  const services = scmServices(bed.native);
  return [
    {
      name: 'a program that fails at start reports its own exit code',
      run: () =>
        withService(bed, { behaviour: 'fail-at-start' }, async ({ name }) => {
          await assert.rejects(services.start(name, soon()), { code: 'SERVICE_FAILED' });
          assert.equal((await services.status(name)).exitCode, OWN_CODE);
        }),
    },
    {
      name: 'a crash reports nothing, so that Windows itself notes an aborted process',
      run: () =>
        withService(bed, { behaviour: 'crash-on-reload' }, async ({ name }) => {
          await services.start(name, soon());
          await services.control(name, 'reload');
          const { state, exitCode } = await onceEnded(() => services.status(name), soon());
          assert.deepEqual({ state, exitCode }, { state: 'failed', exitCode: PROCESS_ABORTED });
        }),
    },
  ];
}

async function onceEnded(status: () => Promise<ServiceStatus>, signal: AbortSignal): Promise<ServiceStatus> {
  for (;;) {
    const found = await status();
    if (found.state !== 'running') return found;
    await sleep(50, undefined, { signal });
  }
}
