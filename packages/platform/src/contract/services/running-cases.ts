import assert from 'node:assert/strict';
import { type ContractCase, contractCase } from '../case.ts';
import { eventually, processExists, rejectsWith, soon } from '../expectations.ts';
import type { ServiceBed } from '../service-bed.ts';
import { withService } from './scratch-service.ts';

const ODD_ARGUMENTS: readonly string[] = [
  'two words',
  '',
  'say "hi"',
  "it's",
  'C:\\path with\\',
  '\\\\server\\"x\\\\"',
  '100% %n %%',
  '$HOME ${HOME} $$',
  '; && | > < # `id` * ?',
  'tab\tin',
  '-@+!:',
  'Jürgen ✓',
];

/** Starting, stopping, restarting and telling. */
export function runningCases(bed: ServiceBed): readonly ContractCase[] {
  return [...startCases(bed), ...stopCases(bed), ...controlCases(bed)];
}

function startCases(bed: ServiceBed): readonly ContractCase[] {
  const { services, cannotShow } = bed;
  return [
    contractCase('start brings up a live process, and starting twice keeps it', () =>
      withService(bed, {}, async ({ name, pid, noted }) => {
        await services.start(name, soon());
        assert.equal((await services.status(name)).state, 'running');
        await noted('started');
        const first = await pid();
        assert.ok(processExists(first));
        await services.start(name, soon());
        assert.equal(await pid(), first);
      }),
    ),
    contractCase('start returns only once the program is ready', () =>
      withService(bed, { behaviour: 'slow-start' }, async ({ name, notes }) => {
        await services.start(name, soon());
        assert.deepEqual(await notes(), ['started']);
        assert.equal((await services.status(name)).state, 'running');
      }),
    ),
    contractCase('arguments with spaces, quotes and special characters reach the program unharmed', () =>
      withService(bed, { installed: false }, async ({ spec, name, notes, noted }) => {
        const odd = { ...spec, args: [...spec.args, ...ODD_ARGUMENTS] };
        await services.install(odd);
        assert.deepEqual((await services.read(name))?.args, odd.args);
        await services.start(name, soon());
        await noted('started');
        const expected = ODD_ARGUMENTS.map((argument) => `argument ${JSON.stringify(argument)}`);
        assert.deepEqual(await notes(), [...expected, 'started']);
      }),
    ),
    contractCase('a disabled service cannot be started', () =>
      withService(bed, { change: { startType: 'disabled' } }, async ({ name }) => {
        await rejectsWith('SERVICE_CONFLICT', () => services.start(name, soon()));
        assert.notEqual((await services.status(name)).state, 'running');
      }),
    ),
    contractCase(
      'starting a service starts those it depends on',
      () =>
        withService(bed, {}, (first) =>
          withService(bed, { change: { dependencies: [first.name] } }, async ({ name }) => {
            await services.start(name, soon());
            assert.equal((await services.status(first.name)).state, 'running');
            await services.stop(name, soon());
            assert.equal((await services.status(first.name)).state, 'running');
          }),
        ),
      cannotShow.dependencies,
    ),
  ];
}

function stopCases(bed: ServiceBed): readonly ContractCase[] {
  const { services, cannotShow } = bed;
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
          await bed.deleteWhileRunning?.(name);
          await services.stop(name, soon());
          assert.ok(!processExists(process));
          await services.remove(name, soon());
          assert.equal(await services.install(spec), 'created');
        }),
      cannotShow['deleted-while-running'],
    ),
  ];
}

function controlCases(bed: ServiceBed): readonly ContractCase[] {
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
