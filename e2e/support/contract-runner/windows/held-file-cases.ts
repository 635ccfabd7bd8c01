import assert from 'node:assert/strict';
import { openSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ContractCase } from '@fenestra/platform/contract';
import { type Native, windowsFileStore } from '@fenestra/platform-windows';
import { scratchFolder, soon, type WindowsBed } from './windows-bed.ts';

const GENERIC_READ = 0x8000_0000;
const OPEN_EXISTING = 3;
const A_MOMENT_MS = 300;

/** Files that someone has open without sharing, as virus scanners do. */
export function heldFileCases(bed: WindowsBed): readonly ContractCase[] {
  const files = windowsFileStore(bed.native);
  return [
    {
      name: 'a file that someone holds for a moment is replaced all the same',
      run: async () => {
        const path = await fileIn(bed);
        const release = hold(bed.native, path);
        await Promise.all([files.replace(path, 'new'), sleep(A_MOMENT_MS).then(release)]);
        assert.equal(await readFile(path, 'utf8'), 'new');
      },
    },
    {
      name: 'a file that someone goes on holding is said to be in use, and stays as it was',
      run: async () => {
        const path = await fileIn(bed);
        const release = hold(bed.native, path);
        try {
          await assert.rejects(files.replace(path, 'new'), { code: 'FILE_IN_USE' });
        } finally {
          release();
        }
        assert.equal(await readFile(path, 'utf8'), 'old');
      },
    },
    {
      name: 'a copy shares its partial file with no one, and is refused where someone else writes it',
      run: async () => {
        const from = await fileIn(bed);
        const [to, partial] = [`${from}-copy`, `${from}-copy.partial`];
        const onProgress = (): void => assert.throws(() => openSync(partial, 'r'), { code: 'EBUSY' });
        await files.copy(from, to, { onProgress }, soon());
        await writeFile(partial, 'half');
        const release = hold(bed.native, partial);
        try {
          await assert.rejects(files.copy(from, to, {}, soon()), { code: 'FILE_IN_USE' });
        } finally {
          release();
        }
        assert.equal(await readFile(partial, 'utf8'), 'half');
      },
    },
  ];
}

async function fileIn(bed: WindowsBed): Promise<string> {
  const path = join(await scratchFolder(bed), 'file');
  await writeFile(path, 'old');
  return path;
}

/** Opens the file for no one else; returns what closes it. */
function hold({ kernel32 }: Native, path: string): () => void {
  const handle = kernel32.CreateFileW(path, GENERIC_READ, 0, null, OPEN_EXISTING, 0, null);
  return () => void kernel32.CloseHandle(handle);
}
