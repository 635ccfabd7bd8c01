import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceStatus } from '../../service-manager.ts';
import { type ContractCase, contractCase } from '../case.ts';
import { eventually, processExists, rejectsWith, soon } from '../expectations.ts';
import type { ServiceBed } from '../service-bed.ts';
import { withService } from './scratch-service.ts';

/** Programs that fail, and waits that are cut short. */
export function failureCases(bed: ServiceBed): readonly ContractCase[] {
  return [...badStartCases(bed), ...crashCases(bed), ...waitCases(bed)];
}

function badStartCases(bed: ServiceBed): readonly ContractCase[] {
  const { services } = bed;
  return [
    contractCase('a program that fails at start is a failed service with an exit code', () =>
      withService(bed, { behaviour: 'fail-at-start' }, async ({ name }) => {
        await rejectsWith('SERVICE_FAILED', () => services.start(name, soon()));
        const { state, exitCode } = await services.status(name);
        assert.equal(state, 'failed');
        assert.ok(exitCode !== undefined && exitCode !== 0, `exit code ${exitCode}`);
      }),
    ),
    contractCase('a missing executable is a failed start', () =>
      withService(bed, { change: { executable: join(bed.folder, 'no-such-program.exe') } }, async ({ name }) => {
        await rejectsWith('SERVICE_FAILED', () => services.start(name, soon()));
        assert.notEqual((await services.status(name)).state, 'running');
      }),
    ),
    contractCase('a failed service can be stopped, and is stopped afterwards', () =>
      withService(bed, { behaviour: 'fail-at-start' }, async ({ name }) => {
        await rejectsWith('SERVICE_FAILED', () => services.start(name, soon()));
        await services.stop(name, soon());
        const { state } = await services.status(name);
        assert.ok(state === 'stopped' || state === 'failed', state);
      }),
    ),
  ];
}

function crashCases(bed: ServiceBed): readonly ContractCase[] {
  const { services, restartDelaySeconds, cannotShow } = bed;
  const quick = { restartDelaysSeconds: [restartDelaySeconds], resetAfterSeconds: 3600 };
  return [
    contractCase('a crash ends the process, and the service is failed with an exit code', () =>
      withService(bed, { behaviour: 'crash-on-reload' }, async ({ name, pid }) => {
        await services.start(name, soon());
        const crashed = await pid();
        await services.control(name, 'reload');
        await eventually('the process is gone', async () => !processExists(crashed));
        await eventually('the service is failed', async () => isFailed(await services.status(name)));
      }),
    ),
    contractCase('a service that failed can be started by hand without waiting for its recovery', () =>
      withService(bed, { behaviour: 'crash-on-reload' }, async ({ name, pid }) => {
        await services.start(name, soon());
        const crashed = await pid();
        await services.control(name, 'reload');
        await eventually('the service is failed', async () => isFailed(await services.status(name)));
        await services.start(name, soon());
        assert.notEqual(await pid(), crashed);
      }),
    ),
    contractCase(
      'a crashed service is back after its delay, in a new process',
      () =>
        withService(bed, { behaviour: 'crash-on-reload', change: { recovery: quick } }, async ({ name, pid }) => {
          await services.start(name, soon());
          const crashed = await pid();
          await services.control(name, 'reload');
          const from = Date.now();
          await eventually('the service runs again', async () => runsAnew(await services.status(name), crashed));
          const waited = Date.now() - from;
          assert.ok(waited >= restartDelaySeconds * 900, `back after only ${waited} ms`);
        }),
      cannotShow['recovery-restart'],
    ),
    contractCase(
      'a service that is stopped while it waits for its restart stays stopped',
      () =>
        withService(bed, { behaviour: 'crash-on-reload', change: { recovery: quick } }, async ({ name }) => {
          await services.start(name, soon());
          await services.control(name, 'reload');
          await eventually('the service is failed', async () => isFailed(await services.status(name)));
          await services.stop(name, soon());
          await sleep(restartDelaySeconds * 1500);
          assert.equal((await services.status(name)).pid, undefined);
        }),
      cannotShow['recovery-restart'],
    ),
  ];
}

function waitCases(bed: ServiceBed): readonly ContractCase[] {
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

function isFailed({ state, pid, exitCode }: ServiceStatus): boolean {
  return state === 'failed' && pid === undefined && exitCode !== undefined && exitCode !== 0;
}

function runsAnew({ state, pid }: ServiceStatus, oldPid: number): boolean {
  return state === 'running' && pid !== undefined && pid !== oldPid;
}

function abortIn(milliseconds: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), milliseconds);
  return controller.signal;
}
