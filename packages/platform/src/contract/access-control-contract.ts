import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AccessControl } from '../access-control.ts';
import { type ContractCase, contractCase, needed, rejectsWith, scratchFolder } from './case.ts';

/** What a bed may have to say it cannot show. */
export type AccessTopic = 'rights-read-back' | 'others-kept-out';

/** A real file system with owners and rights. */
export interface AccessBed {
  readonly access: AccessControl;
  /** An existing scratch folder, which other accounts can reach unless `others-kept-out` cannot be shown. */
  readonly folder: string;
  /** Tries to read the file as an ordinary account; needed unless `others-kept-out` cannot be shown. */
  readonly readableByOthers?: (path: string) => Promise<boolean>;
  readonly cannotShow: Readonly<Partial<Record<AccessTopic, string>>>;
}

/** What every `AccessControl` must do. */
export function accessControlContract(bed: AccessBed): readonly ContractCase[] {
  return [...makePrivateCases(bed), ...inspectCases(bed), ...othersCases(bed)];
}

function makePrivateCases({ access, folder, cannotShow }: AccessBed): readonly ContractCase[] {
  return [
    contractCase('what was made private stays usable for us, and may be made private again', async () => {
      const { own, file } = await openFile(folder);
      await access.makePrivate(own);
      await access.makePrivate(file);
      await access.makePrivate(file);
      assert.equal(await readFile(file, 'utf8'), 'secret');
      await writeFile(join(own, 'later'), 'x');
    }),
    contractCase('a missing path cannot be made private or inspected', async () => {
      const missing = join(await scratchFolder(folder), 'missing');
      await rejectsWith('PATH_NOT_FOUND', () => access.makePrivate(missing));
      await rejectsWith('PATH_NOT_FOUND', () => access.inspect(missing));
    }),
    contractCase(
      'a file and a folder made private read back as private',
      async () => {
        const { own, file } = await openFile(folder);
        for (const path of [own, file]) {
          await access.makePrivate(path);
          assert.deepEqual(await access.inspect(path), { private: true, problems: [] });
        }
      },
      cannotShow['rights-read-back'],
    ),
  ];
}

function inspectCases({ access, folder, cannotShow }: AccessBed): readonly ContractCase[] {
  return [
    contractCase(
      'inspect tells in words what is wrong with an open file or folder',
      async () => {
        const { own, file } = await openFile(folder);
        for (const path of [own, file]) {
          const { private: isPrivate, problems } = await access.inspect(path);
          assert.equal(isPrivate, false);
          assert.ok(
            problems.length > 0 && problems.every((problem) => problem.trim() !== ''),
            'no problem is reported',
          );
        }
      },
      cannotShow['rights-read-back'],
    ),
  ];
}

function othersCases(bed: AccessBed): readonly ContractCase[] {
  const { access, folder } = bed;
  const readableByOthers = async (path: string): Promise<boolean> =>
    needed(bed.readableByOthers, 'readableByOthers')(path);
  return [
    contractCase(
      'others can read an open file, but not a private one',
      async () => {
        const { file } = await openFile(folder);
        assert.equal(await readableByOthers(file), true);
        await access.makePrivate(file);
        assert.equal(await readableByOthers(file), false);
      },
      bed.cannotShow['others-kept-out'],
    ),
    contractCase(
      'others cannot read what is created in a private folder later',
      async () => {
        const { own } = await openFile(folder);
        await access.makePrivate(own);
        await writeFile(join(own, 'later'), 'secret');
        await chmod(join(own, 'later'), 0o644);
        assert.equal(await readableByOthers(join(own, 'later')), false);
      },
      bed.cannotShow['others-kept-out'],
    ),
  ];
}

/** A folder and a file in it that everybody may read. */
async function openFile(folder: string): Promise<{ own: string; file: string }> {
  const scratch = await scratchFolder(folder);
  const own = join(scratch, 'open');
  const file = join(own, 'file');
  await mkdir(own);
  await writeFile(file, 'secret');
  for (const path of [scratch, own]) await chmod(path, 0o755);
  await chmod(file, 0o644);
  return { own, file };
}
