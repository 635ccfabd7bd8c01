import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { ServiceSpec, StartType } from '../../service-manager.ts';
import { type ContractCase, contractCase, eventually, rejectsWith, soon } from '../case.ts';
import type { ServiceBed } from '../beds.ts';
import { withService } from './scratch-service.ts';

const ODD_TEXT = `Says "hello" to 100% of Jürgen's $HOME, C:\\path; it's #1 & <done> \\`;
const START_TYPES: readonly StartType[] = ['automatic', 'automatic-delayed', 'manual', 'disabled'];
const OTHER_POLICY = { restartDelaysSeconds: [5, 10, 20], resetAfterSeconds: 3600 };
const NO_POLICY = { restartDelaysSeconds: [], resetAfterSeconds: 0 };
const TEXT_FIELDS = ['name', 'displayName', 'description', 'executable', 'args', 'startType'] as const;

/** Whether the system gives back what it was given. */
export function readBackCases(bed: ServiceBed): readonly ContractCase[] {
  return [...textCases(bed), ...startTypeCases(bed), ...policyCases(bed), ...relationCases(bed)];
}

function textCases(bed: ServiceBed): readonly ContractCase[] {
  return [
    contractCase('a plain spec is read back', () => readsBack(bed, {})),
    contractCase('odd characters in display name and description survive', () =>
      readsBack(bed, { displayName: ODD_TEXT, description: ODD_TEXT }),
    ),
  ];
}

function startTypeCases(bed: ServiceBed): readonly ContractCase[] {
  return START_TYPES.map((startType) =>
    contractCase(
      `start type "${startType}" is read back`,
      () =>
        withService(bed, { change: { startType } }, async ({ name }) => {
          assert.equal((await bed.services.status(name)).startType, startType);
          assert.equal((await bed.services.read(name))?.startType, startType);
        }),
      startType === 'automatic-delayed' ? bed.cannotShow['delayed-start'] : undefined,
    ),
  );
}

function policyCases(bed: ServiceBed): readonly ContractCase[] {
  return [
    contractCase('the registered recovery policy is read back, or an empty one where the system gives none back', () =>
      withService(bed, { change: { recovery: OTHER_POLICY } }, async ({ name }) => {
        const held = await bed.services.recovery(name);
        assert.deepEqual((await bed.services.read(name))?.recovery, held === undefined ? NO_POLICY : OTHER_POLICY);
        if (held !== undefined) assert.equal(held.restartDelaysSeconds[0], OTHER_POLICY.restartDelaysSeconds[0]);
      }),
    ),
    contractCase(
      'the system holds the whole recovery policy',
      () =>
        withService(bed, { change: { recovery: OTHER_POLICY } }, async ({ name }) => {
          assert.deepEqual(await bed.services.recovery(name), OTHER_POLICY);
        }),
      bed.cannotShow['recovery-read-back'],
    ),
  ];
}

function relationCases(bed: ServiceBed): readonly ContractCase[] {
  const writableFolders = [bed.folder, join(bed.folder, 'a b 100%')];
  return [
    contractCase(
      'writable folders are read back',
      () =>
        withService(bed, { change: { writableFolders } }, async ({ name }) => {
          assert.deepEqual((await bed.services.read(name))?.writableFolders, writableFolders);
        }),
      bed.cannotShow['writable-folders'],
    ),
    contractCase('the rights of a program that is not ours are read back, and are not those of ours', () =>
      withService(bed, {}, async ({ spec, name }) => {
        assert.equal((await bed.services.read(name))?.rights, undefined);
        for (const outcome of ['updated', 'unchanged'] as const) {
          assert.equal(await bed.services.install({ ...spec, rights: 'all' }), outcome);
          assert.equal((await bed.services.read(name))?.rights, 'all');
        }
        assert.equal(await bed.services.install(spec), 'updated');
        assert.equal((await bed.services.read(name))?.rights, undefined);
      }),
    ),
    contractCase('dependencies are read back', () =>
      withService(bed, {}, (first) =>
        withService(bed, { change: { dependencies: [first.name] } }, async ({ name }) => {
          assert.deepEqual((await bed.services.read(name))?.dependencies, [first.name]);
        }),
      ),
    ),
  ];
}

async function readsBack(bed: ServiceBed, change: Partial<ServiceSpec>): Promise<void> {
  await withService(bed, { change }, async ({ spec, name }) => {
    const read = await bed.services.read(name);
    for (const field of TEXT_FIELDS) assert.deepEqual(read?.[field], spec[field], field);
  });
}

/** What the noting program says when it is instructed to fail, in the words of its host. */
const LAST_WORDS = /asked to fail at start/;
const MANY = 100;
const FEW = 2;

/** What a service has said, for anyone who has to find out why it does not run. */
export function lastLinesCases(bed: ServiceBed): readonly ContractCase[] {
  const { services, cannotShow } = bed;
  return [
    contractCase('an absent service, and one that never ran, have said nothing', () =>
      withService(bed, {}, async ({ name }) => {
        assert.deepEqual(await services.lastLines(`${name}-absent`, MANY), []);
        assert.deepEqual(await services.lastLines(name, MANY), []);
      }),
    ),
    contractCase(
      'what a service said before it failed is reported, and no more lines of it than asked for',
      () =>
        withService(bed, { behaviour: 'fail-at-start' }, async ({ name }) => {
          await rejectsWith('SERVICE_FAILED', () => services.start(name, soon()));
          await eventually('its last words are kept', async () =>
            (await services.lastLines(name, MANY)).some((line) => LAST_WORDS.test(line)),
          );
          assert.equal((await services.lastLines(name, FEW)).length, FEW);
        }),
      cannotShow['output-kept'],
    ),
  ];
}
