import assert from 'node:assert/strict';
import { type ContractCase, contractCase, needed, processExists, soon, eventually, rejectsWith } from '../case.ts';
import type { ServiceBed } from '../beds.ts';
import { withService } from './scratch-service.ts';

/** Stopping, restarting and removing what runs. */
export function stopCases(bed: ServiceBed): readonly ContractCase[] {
  return [...plainStopCases(bed), ...removeRunningCases(bed)];
}

function plainStopCases(bed: ServiceBed): readonly ContractCase[] {
  const { services } = bed;
  return [
    contractCase('stop lets the program end in order and leaves no process, and stopping twice succeeds', () =>
      withService(bed, {}, async ({ name, pid, notes }) => {
        await services.start(name, soon());
        const process = await pid();
        await services.stop(name, soon());
        const { state, pid: left } = await services.status(name);
        assert.deepEqual({ state, left }, { state: 'stopped', left: undefined });
        assert.ok(!processExists(process), 'the process is still there');
        assert.deepEqual(await notes(), ['started', 'stopped']);
        await services.stop(name, soon());
      }),
    ),
    contractCase('a service can be started again after a stop', () =>
      withService(bed, {}, async ({ name, pid, notes }) => {
        await services.start(name, soon());
        const first = await pid();
        await services.stop(name, soon());
        await services.start(name, soon());
        assert.notEqual(await pid(), first);
        assert.deepEqual(await notes(), ['started', 'stopped', 'started']);
      }),
    ),
    contractCase('restart gives another process, also to a stopped service', () =>
      withService(bed, {}, async ({ name, pid }) => {
        await services.restart(name, soon());
        const first = await pid();
        await services.restart(name, soon());
        assert.notEqual(await pid(), first);
        assert.ok(!processExists(first));
      }),
    ),
  ];
}

function removeRunningCases(bed: ServiceBed): readonly ContractCase[] {
  const { services, cannotShow } = bed;
  return [
    contractCase('removing a running service stops it first', () =>
      withService(bed, {}, async ({ name, pid, notes }) => {
        await services.start(name, soon());
        const process = await pid();
        await services.remove(name, soon());
        assert.equal((await services.status(name)).state, 'absent');
        assert.ok(!processExists(process));
        assert.deepEqual(await notes(), ['started', 'stopped']);
      }),
    ),
    contractCase(
      'a service that is being deleted can be stopped, and its name is free afterwards',
      () =>
        withService(bed, {}, async ({ spec, name, pid }) => {
          await services.start(name, soon());
          const process = await pid();
          await needed(bed.deleteWhileRunning, 'deleteWhileRunning')(name);
          await services.stop(name, soon());
          assert.ok(!processExists(process));
          await services.remove(name, soon());
          assert.equal(await services.install(spec), 'created');
        }),
      cannotShow['deleted-while-running'],
    ),
  ];
}

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
    contractCase('a service that does not run cannot be determined anything', () =>
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
