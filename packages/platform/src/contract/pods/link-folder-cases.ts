import assert from 'node:assert/strict';
import { lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ContractCase, contractCase, scratchFolder } from '../case.ts';
import type { PodHostBed } from '../pod-host-contract.ts';

/** What every `PodHost` must do for readers that find the files of a volume through a link. */
export function linkFolderCases({ host, folder, cannotShow }: PodHostBed): readonly ContractCase[] {
  return [
    contractCase('whether a link was made is said as it is', async () => {
      const parent = await scratchFolder(folder);
      await mkdir(join(parent, 'one'));
      const isMade = await host.linkFolder(join(parent, 'link'), 'one');
      const found = await lstat(join(parent, 'link')).catch(() => undefined);
      assert.equal(isMade, found?.isSymbolicLink() === true);
    }),
    contractCase(
      'a link to a folder is replaced by one to another, and nothing is left of the first',
      async () => {
        const parent = await scratchFolder(folder);
        for (const name of ['one', 'two']) {
          await mkdir(join(parent, name));
          await writeFile(join(parent, name, 'file'), name);
          assert.equal(await host.linkFolder(join(parent, 'link'), name), true);
          assert.equal(await readFile(join(parent, 'link', 'file'), 'utf8'), name);
        }
        assert.deepEqual((await readdir(parent)).toSorted(), ['link', 'one', 'two']);
        assert.equal(await readFile(join(parent, 'one', 'file'), 'utf8'), 'one');
      },
      cannotShow.links,
    ),
  ];
}
