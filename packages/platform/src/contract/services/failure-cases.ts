import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RecoveryPolicy, ServiceStatus } from '../../service-manager.ts';
import { type ContractCase, contractCase, eventually, processExists, rejectsWith, soon } from '../case.ts';
import type { ServiceBed } from '../beds.ts';
import { withService } from './scratch-service.ts';

/** Programs that fail, and how they come back. */
export function failureCases(bed: ServiceBed): readonly ContractCase[] {
  return [...badStartCases(bed), ...crashCases(bed), ...recoveryCases(bed)];
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
  const { services } = bed;
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
    contractCase('a service that failed can be started manually without waiting for its recovery', () =>
      withService(bed, { behaviour: 'crash-on-reload' }, async ({ name, pid }) => {
        await services.start(name, soon());
        const crashed = await pid();
        await services.control(name, 'reload');
        await eventually('the service is failed', async () => isFailed(await services.status(name)));
        await services.start(name, soon());
        assert.notEqual(await pid(), crashed);
      }),
    ),
  ];
}

function recoveryCases(bed: ServiceBed): readonly ContractCase[] {
  const { services, restartDelaySeconds, cannotShow } = bed;
  const quick: RecoveryPolicy = { restartDelaysSeconds: [restartDelaySeconds], resetAfterSeconds: 3600 };
  const growing = { ...quick, restartDelaysSeconds: [restartDelaySeconds, restartDelaySeconds * 4] };
  return [
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
      'the wait before the second restart is the second of the policy, and a start manually does not wait',
      () =>
        withService(bed, { behaviour: 'crash-on-reload', change: { recovery: growing } }, async ({ name, pid }) => {
          await services.start(name, soon());
          await crashAndWait(services, name, await pid());
          const secondWait = await crashAndWait(services, name, await pid());
          assert.ok(secondWait >= restartDelaySeconds * 3600, `back after only ${secondWait} ms`);
          await services.control(name, 'reload');
          await eventually('the service is failed', async () => (await services.status(name)).state === 'failed');
          const from = Date.now();
          await services.start(name, soon());
          assert.ok(Date.now() - from < restartDelaySeconds * 3600, `started after ${Date.now() - from} ms`);
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

/** Returns how long the service was away, in milliseconds. */
async function crashAndWait(services: ServiceBed['services'], name: string, pid: number): Promise<number> {
  await services.control(name, 'reload');
  const from = Date.now();
  await eventually('the service runs again', async () => runsAnew(await services.status(name), pid));
  return Date.now() - from;
}

function isFailed({ state, pid, exitCode }: ServiceStatus): boolean {
  return state === 'failed' && pid === undefined && exitCode !== undefined && exitCode !== 0;
}

function runsAnew({ state, pid }: ServiceStatus, oldPid: number): boolean {
  return state === 'running' && pid !== undefined && pid !== oldPid;
}
