import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, readdir, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ContractCase } from '@fenestra/platform/contract';
import { windowsFileStore } from '@fenestra/platform-windows';
import { isWine } from './is-wine.ts';
import { scratchFolder, soon, type WindowsBed } from './windows-bed.ts';

const SMALL_BYTES = 1024 * 1024;
const TOO_MUCH = 3 * SMALL_BYTES;

/** A disk without room for what is to be written. */
export function fullDiskCases(bed: WindowsBed): readonly ContractCase[] {
  const files = windowsFileStore(bed.native);
  return [
    {
      name: 'a full disk is its own error, the old file stays and nothing else is left behind',
      ...(isWine(bed.koffi) ? {} : { skip: 'Windows mounts no small disk for us; the system below Wine does' }),
      run: () =>
        withSmallDisk(bed, async (disk) => {
          const source = join(await scratchFolder(bed), 'source');
          await writeFile(source, randomBytes(TOO_MUCH));
          const target = join(disk, 'target');
          await files.replace(target, 'old');
          await assert.rejects(files.replace(target, Buffer.alloc(TOO_MUCH)), { code: 'DISK_FULL' });
          await assert.rejects(files.copy(source, target, {}, soon()), { code: 'DISK_FULL' });
          assert.equal(await readFile(target, 'utf8'), 'old');
          assert.deepEqual(await readdir(disk), ['target']);
        }),
    },
  ];
}

/** Wine runs programs of the system below it, which can mount a disk of any size; it does not wait for them. */
async function withSmallDisk(bed: WindowsBed, use: (disk: string) => Promise<void>): Promise<void> {
  const disk = join(await scratchFolder(bed), 'disk');
  await mkdir(disk);
  const unixPath = await unixPathOf(disk);
  await onUnix('mount', '-t', 'tmpfs', '-o', `size=${SMALL_BYTES}`, 'none', unixPath);
  await untilDisk(disk, (bytes) => bytes <= SMALL_BYTES);
  try {
    await use(disk);
  } finally {
    await onUnix('umount', unixPath);
    await untilDisk(disk, (bytes) => bytes > SMALL_BYTES);
  }
}

async function unixPathOf(path: string): Promise<string> {
  return (await promisify(execFile)('winepath.exe', ['-u', path])).stdout.trim();
}

async function onUnix(program: string, ...args: readonly string[]): Promise<void> {
  await promisify(execFile)('start.exe', ['/unix', `/usr/bin/${program}`, ...args]);
}

async function untilDisk(path: string, holds: (totalBytes: number) => boolean): Promise<void> {
  for (let round = 0; round < 200; round += 1) {
    const { blocks, bsize } = await statfs(path);
    if (holds(blocks * bsize)) return;
    await sleep(50);
  }
  assert.fail(`the disk at "${path}" did not change`);
}
