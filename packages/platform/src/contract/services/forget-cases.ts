import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ContractCase, contractCase } from '../case.ts';
import { eventually, processExists, soon } from '../expectations.ts';
import type { ServiceBed } from '../service-bed.ts';
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

/** The worst end there is: whoever recovers services takes it for a failure. */
function endByForce(pid: number): void {
  process.kill(pid, 'SIGKILL');
}
