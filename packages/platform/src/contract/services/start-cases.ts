import assert from 'node:assert/strict';
import { type ContractCase, contractCase, processExists, rejectsWith, soon } from '../case.ts';
import type { ServiceBed } from '../beds.ts';
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

/** Starting, and what a started program gets. */
export function startCases(bed: ServiceBed): readonly ContractCase[] {
  return [...bringUpCases(bed), ...startConditionCases(bed)];
}

function bringUpCases(bed: ServiceBed): readonly ContractCase[] {
  const { services } = bed;
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
  ];
}

function startConditionCases(bed: ServiceBed): readonly ContractCase[] {
  const { services, cannotShow } = bed;
  return [
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
