import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { ServiceAction, ServiceSpec } from '../../service-manager.ts';
import { type ContractCase, contractCase, rejectsWith, soon } from '../case.ts';
import type { ServiceBed } from '../beds.ts';
import { withService } from './scratch-service.ts';

const ACTIONS: readonly ServiceAction[] = ['start', 'stop', 'status', 'logs'];
const BAD_NAMES: readonly string[] = ['', '..', 'a/b', 'a\\b', 'a b', 'a"b', '-a', 'x'.repeat(65)];

/** Installing, changing and removing. */
export function registrationCases(bed: ServiceBed): readonly ContractCase[] {
  return [...absenceCases(bed), ...installCases(bed), ...removalCases(bed)];
}

function absenceCases({ services }: ServiceBed): readonly ContractCase[] {
  const unknown = 'contract-no-such-service';
  return [
    contractCase('an unknown service is absent, not an error', async () => {
      assert.equal((await services.status(unknown)).state, 'absent');
      assert.equal(await services.read(unknown), undefined);
      assert.equal(await services.recovery(unknown), undefined);
    }),
    contractCase('starting, restarting or controlling an unknown service says it is not found', async () => {
      await rejectsWith('SERVICE_NOT_FOUND', () => services.start(unknown, soon()));
      await rejectsWith('SERVICE_NOT_FOUND', () => services.restart(unknown, soon()));
      await rejectsWith('SERVICE_NOT_FOUND', () => services.control(unknown, 'reload'));
    }),
    contractCase('stopping or removing an unknown service succeeds', async () => {
      await services.stop(unknown, soon());
      await services.remove(unknown, soon());
    }),
    contractCase('the command line for each action names the service', async () => {
      for (const action of ACTIONS) assert.match(services.commandLine(action, 'edgecore'), /edgecore/);
    }),
  ];
}

function installCases(bed: ServiceBed): readonly ContractCase[] {
  const { services } = bed;
  return [
    contractCase('install creates, finds nothing to do the second time, and updates what differs', () =>
      withService(bed, { installed: false }, async ({ spec, name }) => {
        assert.equal(await services.install(spec), 'created');
        assert.equal((await services.status(name)).state, 'stopped');
        assert.equal(await services.install(spec), 'unchanged');
        for (const changed of changesOf(spec)) {
          assert.equal(await services.install(changed), 'updated');
          assert.equal(await services.install(changed), 'unchanged');
          assert.deepEqual(visible(await services.read(name)), visible(changed));
        }
      }),
    ),
    contractCase('install does not restart a running service', () =>
      withService(bed, {}, async ({ spec, name, pid }) => {
        await services.start(name, soon());
        const before = await pid();
        assert.equal(await services.install({ ...spec, description: 'Another description' }), 'updated');
        assert.equal(await pid(), before);
      }),
    ),
    contractCase('install refuses a name outside the rule', async () => {
      for (const name of BAD_NAMES) {
        const spec = specNamed(bed, name);
        await rejectsWith('USAGE', () => services.install(spec));
      }
    }),
  ];
}

function removalCases(bed: ServiceBed): readonly ContractCase[] {
  const { services } = bed;
  return [
    contractCase('remove frees the name, and removing twice succeeds', () =>
      withService(bed, {}, async ({ spec, name }) => {
        await services.remove(name, soon());
        assert.equal((await services.status(name)).state, 'absent');
        assert.equal(await services.read(name), undefined);
        await services.remove(name, soon());
        assert.equal(await services.install(spec), 'created');
      }),
    ),
  ];
}

function changesOf(spec: ServiceSpec): readonly ServiceSpec[] {
  const renamed = { ...spec, displayName: 'Another display name' };
  const described = { ...renamed, description: 'Another description' };
  const extended = { ...described, args: [...spec.args, 'one more'] };
  return [renamed, described, extended, { ...extended, startType: 'automatic' }];
}

/** What every system gives back; the rest has separate cases. */
function visible(spec: ServiceSpec | undefined): unknown {
  return spec && [spec.name, spec.displayName, spec.description, spec.executable, spec.args, spec.startType];
}

function specNamed(bed: ServiceBed, name: string): ServiceSpec {
  const program = bed.program('contract-bad-name', join(bed.folder, 'bad-name.notes'), 'serve');
  return {
    name,
    displayName: 'Bad name',
    description: 'Never installed',
    startType: 'manual',
    dependencies: [],
    recovery: { restartDelaysSeconds: [60], resetAfterSeconds: 60 },
    writableFolders: [],
    ...program,
  };
}
