import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readFile, readdir, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { type ContractCase, contractCase, rejectsWith, scratchFolder } from '../case.ts';
import type { FileBed } from '../beds.ts';

/** Renaming, also of programs that run. */
export function moveCases(bed: FileBed): readonly ContractCase[] {
  return [...plainMoveCases(bed), ...inUseCases(bed)];
}

function plainMoveCases({ files, folder }: FileBed): readonly ContractCase[] {
  return [
    contractCase('move replaces what is there', async () => {
      const { own, from, to } = await twoFiles(folder);
      await files.move(from, to);
      assert.equal(await readFile(to, 'utf8'), 'new');
      assert.deepEqual(await readdir(own), ['to']);
    }),
    contractCase('moving a missing file says that the path is not found, and leaves the target', async () => {
      const { own, to } = await twoFiles(folder);
      await rejectsWith('PATH_NOT_FOUND', () => files.move(join(own, 'missing'), to));
      assert.equal(await readFile(to, 'utf8'), 'old');
    }),
    contractCase('replaceInUse of a file no one uses puts the new one in place', async () => {
      const { from, to } = await twoFiles(folder);
      await files.replaceInUse(from, to);
      assert.equal(await readFile(to, 'utf8'), 'new');
    }),
    contractCase('replaceInUse works where there was no file yet', async () => {
      const { own, from } = await twoFiles(folder);
      assert.deepEqual(await files.replaceInUse(from, join(own, 'fresh')), { setAside: undefined });
      assert.equal(await readFile(join(own, 'fresh'), 'utf8'), 'new');
    }),
    contractCase('replaceInUse from a missing file leaves the target where it was', async () => {
      const { own, to } = await twoFiles(folder);
      await rejectsWith('PATH_NOT_FOUND', () => files.replaceInUse(join(own, 'missing'), to));
      assert.equal(await readFile(to, 'utf8'), 'old');
      assert.deepEqual((await readdir(own)).toSorted(), ['from', 'to']);
    }),
  ];
}

function inUseCases(bed: FileBed): readonly ContractCase[] {
  const { files, cannotShow } = bed;
  return [
    contractCase(
      'a program goes on running while its file is replaced',
      () =>
        withRunningProgram(bed, async ({ path, own, child }) => {
          const newer = join(own, 'newer');
          await writeFile(newer, 'new');
          const { setAside } = await files.replaceInUse(newer, path);
          assert.equal(await readFile(path, 'utf8'), 'new');
          assert.equal(child.exitCode, null, 'the program has ended');
          if (setAside !== undefined) assert.notDeepEqual(await readFile(setAside, 'utf8'), 'new');
        }),
      cannotShow['programs-in-use'],
    ),
    contractCase(
      'a program goes on running while its file is moved',
      () =>
        withRunningProgram(bed, async ({ path, own, child }) => {
          await files.move(path, join(own, 'moved'));
          assert.equal(child.exitCode, null, 'the program has ended');
          assert.deepEqual(await readdir(own), ['moved']);
        }),
      cannotShow['programs-in-use'],
    ),
  ];
}

async function twoFiles(folder: string): Promise<{ own: string; from: string; to: string }> {
  const own = await scratchFolder(folder);
  const [from, to] = [join(own, 'from'), join(own, 'to')];
  await writeFile(from, 'new');
  await writeFile(to, 'old');
  return { own, from, to };
}

interface RunningProgram {
  readonly own: string;
  readonly path: string;
  readonly child: ChildProcess;
}

async function withRunningProgram(
  { folder, longRunning }: FileBed,
  use: (program: RunningProgram) => Promise<void>,
): Promise<void> {
  const own = await scratchFolder(folder);
  const path = join(own, `program${extname(longRunning.executable)}`);
  await copyFile(longRunning.executable, path);
  const child = spawn(path, [...longRunning.args], { stdio: 'ignore' });
  await once(child, 'spawn');
  const ended = once(child, 'exit');
  try {
    await use({ own, path, child });
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}
