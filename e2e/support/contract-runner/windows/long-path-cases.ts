import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContractCase } from '@fenestra/platform/contract';
import { windowsAccessControl, windowsFileStore } from '@fenestra/platform-windows';
import { scratchFolder, soon, type WindowsBed } from './windows-bed.ts';

const PARTS = Array.from({ length: 7 }, (_, index) => `${index}`.padEnd(60, 'x'));

/** Paths longer than the 260 characters of old. */
export function longPathCases(bed: WindowsBed): readonly ContractCase[] {
  const [files, access] = [windowsFileStore(bed.native), windowsAccessControl(bed.native)];
  return [
    {
      name: 'paths of more than 400 characters can be made, written, copied, moved, made private and deleted',
      run: async () => {
        const own = await scratchFolder(bed);
        const deep = join(own, ...PARTS);
        const [first, second, third] = ['first', 'second', 'third'].map((name) => join(deep, name));
        assert.ok(first !== undefined && second !== undefined && third !== undefined && deep.length > 400);
        assert.equal(await files.createFolder(deep), join(own, ...PARTS.slice(0, 1)));
        await files.replace(first, 'content');
        await files.copy(first, second, {}, soon());
        await files.move(second, third);
        await files.replaceInUse(first, third);
        await files.syncFile(third);
        await files.syncFolder(deep);
        await access.makePrivate(third);
        await access.inspect(third);
        assert.deepEqual(await readdir(deep), ['third']);
        assert.equal(await readFile(third, 'utf8'), 'content');
        await files.removeTree(join(own, ...PARTS.slice(0, 1)), own, soon());
        assert.deepEqual(await readdir(own), []);
      },
    },
  ];
}
