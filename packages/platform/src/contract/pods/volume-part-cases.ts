import assert from 'node:assert/strict';
import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ContractCase, contractCase, rejectsWith, scratchFolder, soon } from '../case.ts';
import type { PodHostBed } from '../pod-host-contract.ts';

/** What every `PodHost` must do for a container that gets a part of a volume. */
export function volumePartCases(bed: PodHostBed): readonly ContractCase[] {
  return [...openCases(bed), ...linkCases(bed), ...holdCases(bed)];
}

interface Place {
  readonly volume: string;
  readonly outside: string;
  readonly open: (path: string, create?: boolean) => Promise<string>;
}

/** Gives a case a volume beside a folder with a secret, and removes what it has mounted. */
async function withVolume({ host, folder }: PodHostBed, check: (place: Place) => Promise<void>): Promise<void> {
  const parent = await scratchFolder(folder);
  const [volume, outside, held] = [join(parent, 'volume'), join(parent, 'outside'), join(parent, 'held')];
  await mkdir(volume);
  await mkdir(outside);
  await writeFile(join(outside, 'secret'), 'secret');
  try {
    await check({
      volume,
      outside,
      open: async (path, create = true) =>
        host.openVolumePart({ volume, path, target: join(held, '0'), create }, soon()),
    });
    await host.removeFolder(held, soon());
    assert.equal(await readFile(join(outside, 'secret'), 'utf8'), 'secret');
  } finally {
    await host.removeFolder(parent, soon());
  }
}

function openCases(bed: PodHostBed): readonly ContractCase[] {
  const skip = bed.cannotShow.folders;
  return [
    contractCase(
      'a part of a volume is opened, and removing it leaves the volume alone',
      async () =>
        withVolume(bed, async ({ volume, open }) => {
          await mkdir(join(volume, 'a', 'b'), { recursive: true });
          await writeFile(join(volume, 'a', 'b', 'file'), 'content');
          const path = await open('a/b');
          assert.equal(await readFile(join(path, 'file'), 'utf8'), 'content');
          assert.equal(await open('a/b'), path);
          assert.equal(await readFile(await open('a/b/file'), 'utf8'), 'content');
          await bed.host.removeFolder(join(volume, '..', 'held'), soon());
          assert.equal(await readFile(join(volume, 'a', 'b', 'file'), 'utf8'), 'content');
        }),
      skip,
    ),
    contractCase(
      'folders that are missing are made if they may be, else there is nothing to open',
      async () =>
        withVolume(bed, async ({ volume, open }) => {
          await rejectsWith('PATH_NOT_FOUND', async () => open('new/folder', false));
          await writeFile(join(await open('new/folder'), 'file'), 'written');
          assert.equal(await readFile(join(volume, 'new', 'folder', 'file'), 'utf8'), 'written');
          await assert.rejects(open('new/folder/file/below'));
        }),
      skip,
    ),
  ];
}

function linkCases(bed: PodHostBed): readonly ContractCase[] {
  const skip = bed.cannotShow.folders ?? bed.cannotShow.links;
  const leaders: readonly (readonly [string, (place: Place) => string])[] = [
    ['the folder beside', ({ outside }) => outside],
    ['the root', () => '/'],
    ['what is above', () => '../outside'],
    ['what is above, from below', () => 'inner/../../outside'],
  ];
  return [
    contractCase(
      'links that stay in the volume are followed',
      async () =>
        withVolume(bed, async ({ volume, open }) => {
          await mkdir(join(volume, 'version'));
          await writeFile(join(volume, 'version', 'key'), 'value');
          await symlink('version', join(volume, 'data'), 'dir');
          await symlink(join('data', '..', 'data', 'key'), join(volume, 'key'), 'file');
          assert.equal(await readFile(await open('key', false), 'utf8'), 'value');
        }),
      skip,
    ),
    ...leaders.map(([name, targetOf]) =>
      contractCase(
        `a link to ${name} is refused, at the end of a path and on the way`,
        async () =>
          withVolume(bed, async (place) => {
            await mkdir(join(place.volume, 'inner'));
            await symlink(targetOf(place), join(place.volume, 'planted'), 'dir');
            for (const path of ['planted', 'planted/secret', 'planted/new/folder']) {
              await rejectsWith('UNSAFE_PATH', async () => place.open(path));
            }
          }),
        skip,
      ),
    ),
  ];
}

function holdCases(bed: PodHostBed): readonly ContractCase[] {
  const { folders, holding } = bed.cannotShow;
  return [
    contractCase(
      'a part that is exchanged for a link after it was opened stays what it was',
      async () =>
        withVolume(bed, async ({ volume, outside, open }) => {
          await mkdir(join(volume, 'part'));
          await writeFile(join(volume, 'part', 'secret'), 'own');
          const path = await open('part');
          await rename(join(volume, 'part'), join(volume, 'moved'));
          await symlink(outside, join(volume, 'part'), 'dir');
          assert.equal(await readFile(join(path, 'secret'), 'utf8'), 'own');
          await rejectsWith('UNSAFE_PATH', async () => open('part'));
          assert.equal(await readFile(join(await open('moved'), 'secret'), 'utf8'), 'own');
        }),
      holding,
    ),
    contractCase(
      'a target that holds another part is given the new one',
      async () =>
        withVolume(bed, async ({ volume, open }) => {
          await mkdir(join(volume, 'one'));
          await mkdir(join(volume, 'two'));
          await writeFile(join(volume, 'two', 'file'), 'two');
          await open('one');
          assert.equal(await readFile(join(await open('two'), 'file'), 'utf8'), 'two');
        }),
      folders,
    ),
  ];
}
