import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readFile, readdir, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ContractCase } from '@fenestra/platform/contract';
import { windowsFileStore } from '@fenestra/platform-windows';
import { scratchFolder, soon, type WindowsBed } from './windows-bed.ts';

const LONG_AGO = new Date(0);

/** What runs that were killed have left behind. */
export function leftoverCases(bed: WindowsBed): readonly ContractCase[] {
  const files = windowsFileStore(bed.native);
  return [
    {
      name: 'replaceInUse finishes what a killed one left between its two moves, and deletes the file set aside',
      run: async () => {
        const own = await scratchFolder(bed);
        await writeFile(join(own, 'program.exe.0123456789ab.old'), 'old');
        await writeFile(join(own, 'newer'), 'new');
        await files.replaceInUse(join(own, 'newer'), join(own, 'program.exe'));
        assert.deepEqual(await readdir(own), ['program.exe']);
        assert.equal(await readFile(join(own, 'program.exe'), 'utf8'), 'new');
      },
    },
    { name: 'a program set aside stays while it runs, and goes when its successor does', run: () => asideCase(bed) },
    {
      name: 'removeTree of a program that is absent deletes what was set aside for it, and nothing else',
      run: async () => {
        const own = await scratchFolder(bed);
        const others = ['other.exe.0123456789ab.old', 'program.exe.old'];
        for (const name of ['Program.exe.0123456789ab.old', ...others]) await writeFile(join(own, name), '');
        await files.removeTree(join(own, 'program.exe'), own, soon());
        assert.deepEqual((await readdir(own)).toSorted(), others);
      },
    },
    {
      name: 'replace deletes what a killed one left long ago, and nothing that may be in use',
      run: async () => {
        const own = await scratchFolder(bed);
        const [stale, fresh] = ['file.0123456789ab.tmp', 'file.ba9876543210.tmp'];
        for (const name of [stale, fresh]) await writeFile(join(own, name), '');
        await utimes(join(own, stale), LONG_AGO, LONG_AGO);
        await files.replace(join(own, 'file'), 'content');
        assert.deepEqual((await readdir(own)).toSorted(), ['file', fresh]);
      },
    },
  ];
}

async function asideCase(bed: WindowsBed): Promise<void> {
  const files = windowsFileStore(bed.native);
  const own = await scratchFolder(bed);
  const [program, newer] = [join(own, 'program.exe'), join(own, 'newer')];
  await copyFile(process.execPath, program);
  const child = spawn(program, ['-e', 'setTimeout(() => {}, 60_000)'], { stdio: 'ignore' });
  await once(child, 'spawn');
  try {
    await writeFile(newer, 'second');
    const { setAside = '' } = await files.replaceInUse(newer, program);
    await writeFile(newer, 'third');
    assert.deepEqual(await files.replaceInUse(newer, program), { setAside: undefined });
    assert.deepEqual((await readdir(own)).toSorted(), ['program.exe', basename(setAside)]);
  } finally {
    child.kill();
    await once(child, 'exit');
  }
  await files.removeTree(program, own, soon());
  assert.deepEqual(await readdir(own), []);
}
