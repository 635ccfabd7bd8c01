import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ContractCase, contractCase, eventually, processExists, soon, rejectsWith } from '../case.ts';
import type { ServiceBed } from '../beds.ts';
import { withService } from './scratch-service.ts';

/** Taking services out of the register while they run. */
export function forgetCases(bed: ServiceBed): readonly ContractCase[] {
  return [...idleCases(bed), ...runningCases(bed)];
}

function idleCases(bed: ServiceBed): readonly ContractCase[] {
  const { services } = bed;
  return [
    contractCase('forgetting a stopped service frees its name, and so does forgetting it twice', () =>
      withService(bed, {}, async ({ name, spec }) => {
        await services.forget(name);
        await services.forget(name);
        assert.equal((await services.status(name)).state, 'absent');
        assert.equal(await services.install(spec), 'created');
      }),
    ),
    contractCase('forgetting an unknown service succeeds', () => services.forget('contract-no-such-service')),
  ];
}

function runningCases(bed: ServiceBed): readonly ContractCase[] {
  const { services, restartDelaySeconds } = bed;
  const change = { recovery: { restartDelaysSeconds: [restartDelaySeconds], resetAfterSeconds: 3600 } };
  return [
    contractCase('a forgotten service runs on, and whatever its end it never comes back', () =>
      withService(bed, { change }, async ({ name, spec, pid, notes }) => {
        await services.start(name, soon());
        const process = await pid();
        await services.forget(name);
        assert.equal(await pid(), process);
        endByForce(process);
        await eventually('the name is free', async () => (await services.status(name)).state === 'absent');
        await sleep(restartDelaySeconds * 1500);
        assert.deepEqual(await notes(), ['started']);
        assert.equal(await services.install(spec), 'created');
        assert.equal((await services.status(name)).state, 'stopped');
      }),
    ),
    contractCase('a forgotten service can still be stopped', () =>
      withService(bed, { change }, async ({ name, pid, notes }) => {
        await services.start(name, soon());
        const process = await pid();
        await services.forget(name);
        await services.stop(name, soon());
        assert.ok(!processExists(process), 'the process is still there');
        assert.deepEqual(await notes(), ['started', 'stopped']);
        await eventually('the name is free', async () => (await services.status(name)).state === 'absent');
      }),
    ),
  ];
}

/** The worst end there is: anyone who recovers services takes it for a failure. */
function endByForce(pid: number): void {
  process.kill(pid, 'SIGKILL');
}

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
