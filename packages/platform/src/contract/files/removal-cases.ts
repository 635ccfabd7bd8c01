import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { type ContractCase, contractCase, rejectsWith, soon, scratchFolder } from '../case.ts';
import type { FileBed } from '../beds.ts';

/** Recursive deletion that cannot go astray. */
export function removalCases(bed: FileBed): readonly ContractCase[] {
  return [...deletionCases(bed), ...boundaryCases(bed), ...linkCases(bed)];
}

function deletionCases({ files, folder }: FileBed): readonly ContractCase[] {
  return [
    contractCase('removeTree deletes everything below, read-only files too, and nothing else', async () => {
      const root = await tree(folder);
      await chmod(join(root, 'doomed', 'deep', 'file'), 0o444);
      await files.removeTree(join(root, 'doomed'), root, soon());
      assert.deepEqual(await readdir(root), ['kept']);
    }),
    contractCase('removeTree deletes a single file', async () => {
      const root = await tree(folder);
      await files.removeTree(join(root, 'kept', 'file'), root, soon());
      assert.deepEqual(await readdir(join(root, 'kept')), []);
    }),
    contractCase('removeTree of something absent is fine', async () => {
      const root = await tree(folder);
      await files.removeTree(join(root, 'absent'), root, soon());
      await files.removeTree(join(root, 'absent', 'deeper'), root, soon());
      await files.removeTree(join(root, 'no-root', 'x'), join(root, 'no-root'), soon());
    }),
    contractCase('removeTree whose signal has fired deletes nothing', async () => {
      const root = await tree(folder);
      await rejectsWith('INTERRUPTED', () => files.removeTree(join(root, 'doomed'), root, AbortSignal.abort()));
      assert.equal(await readFile(join(root, 'doomed', 'deep', 'file'), 'utf8'), 'x');
    }),
  ];
}

function boundaryCases({ files, folder }: FileBed): readonly ContractCase[] {
  return [
    contractCase('removeTree refuses the root itself and whatever is outside it', async () => {
      const root = await tree(folder);
      const inner = join(root, 'doomed');
      const unsafe = [
        inner,
        `${inner}${sep}`,
        root,
        join(root, 'kept'),
        `${inner}${sep}..${sep}kept`,
        `${inner}${sep}deep${sep}..${sep}..${sep}kept`,
        `${inner}${sep}deep${sep}..`,
        `${inner}-sibling`,
        'relative',
        '',
      ];
      for (const path of unsafe) await rejectsWith('UNSAFE_PATH', () => files.removeTree(path, inner, soon()));
      assert.deepEqual((await readdir(root)).toSorted(), ['doomed', 'kept']);
      assert.equal(await readFile(join(inner, 'deep', 'file'), 'utf8'), 'x');
    }),
  ];
}

function linkCases({ files, folder, cannotShow }: FileBed): readonly ContractCase[] {
  return [
    contractCase(
      'removeTree removes a link and does not follow it',
      async () => {
        const root = await tree(folder);
        await symlink(join(root, 'kept'), join(root, 'doomed', 'deep', 'link'), 'junction');
        await files.removeTree(join(root, 'doomed'), root, soon());
        assert.deepEqual(await readdir(root), ['kept']);
        assert.equal(await readFile(join(root, 'kept', 'file'), 'utf8'), 'x');
      },
      cannotShow.links,
    ),
    contractCase(
      'removeTree refuses a path that leads out of the root through a link',
      async () => {
        const root = await tree(folder);
        await symlink(join(root, 'kept'), join(root, 'doomed', 'link'), 'junction');
        const through = join(root, 'doomed', 'link', 'file');
        await rejectsWith('UNSAFE_PATH', () => files.removeTree(through, join(root, 'doomed'), soon()));
        assert.equal(await readFile(join(root, 'kept', 'file'), 'utf8'), 'x');
      },
      cannotShow.links,
    ),
    contractCase(
      'removeTree of a link itself leaves what it points to',
      async () => {
        const root = await tree(folder);
        const link = join(root, 'doomed', 'link');
        await symlink(join(root, 'kept'), link, 'junction');
        await files.removeTree(link, join(root, 'doomed'), soon());
        assert.deepEqual(await readdir(join(root, 'doomed')), ['deep']);
        assert.equal(await readFile(join(root, 'kept', 'file'), 'utf8'), 'x');
      },
      cannotShow.links,
    ),
  ];
}

/** `doomed/deep/file` and `kept/file` in their own folder. */
async function tree(folder: string): Promise<string> {
  const root = await scratchFolder(folder);
  await mkdir(join(root, 'doomed', 'deep'), { recursive: true });
  await mkdir(join(root, 'kept'));
  await writeFile(join(root, 'doomed', 'deep', 'file'), 'x');
  await writeFile(join(root, 'kept', 'file'), 'x');
  return root;
}
