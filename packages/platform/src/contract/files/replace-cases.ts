import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '@fenestra/kernel';
import { type ContractCase, contractCase, rejectsWith, scratchFolder } from '../case.ts';
import type { FileBed } from '../beds.ts';

const ROUNDS = 40;
const CONTENT_BYTES = 64 * 1024;
const READ_PAUSE_MS = 5;

/** Putting content in place, and putting it on the disk. */
export function replaceCases(bed: FileBed): readonly ContractCase[] {
  return [...contentCases(bed), ...readerCases(bed), ...failedReplaceCases(bed), ...durabilityCases(bed)];
}

function contentCases({ files, folder, cannotShow }: FileBed): readonly ContractCase[] {
  return [
    contractCase('replace creates a file, then replaces it, and leaves nothing else behind', async () => {
      const own = await scratchFolder(folder);
      const path = join(own, 'settings ü.yaml');
      await files.replace(path, 'first');
      await files.replace(path, new Uint8Array([0, 255, 10]));
      assert.deepEqual([...(await readFile(path))], [0, 255, 10]);
      assert.deepEqual(await readdir(own), ['settings ü.yaml']);
    }),
    contractCase(
      'replace gives the file its mode, 0600 by default',
      async () => {
        const own = await scratchFolder(folder);
        await files.replace(join(own, 'private'), 'x');
        await files.replace(join(own, 'public'), 'x', { mode: 0o644 });
        assert.equal(await modeOf(join(own, 'private')), 0o600);
        assert.equal(await modeOf(join(own, 'public')), 0o644);
      },
      cannotShow.modes,
    ),
  ];
}

function readerCases({ files, folder }: FileBed): readonly ContractCase[] {
  return [
    contractCase('a reader sees the old content or the new, whole', async () => {
      const path = join(await scratchFolder(folder), 'read-me');
      await files.replace(path, contentOf(0));
      const writing = replaceOften(files, path);
      const seen = await readUntil(path, writing);
      assert.ok(seen > 0, 'nothing was read');
      assert.equal(await readFile(path, 'utf8'), contentOf(ROUNDS));
    }),
  ];
}

function failedReplaceCases({ files, folder }: FileBed): readonly ContractCase[] {
  return [
    contractCase('a replace that fails leaves no temporary file', async () => {
      const own = await scratchFolder(folder);
      await mkdir(join(own, 'occupied'));
      await writeFile(join(own, 'occupied', 'file'), '');
      await assert.rejects(files.replace(join(own, 'occupied'), 'x'), OperatorError);
      assert.deepEqual(await readdir(own), ['occupied']);
      assert.deepEqual(await readdir(join(own, 'occupied')), ['file']);
    }),
    contractCase('a replace in a missing folder says that the path is not found', async () => {
      const missing = join(await scratchFolder(folder), 'missing', 'file');
      await rejectsWith('PATH_NOT_FOUND', () => files.replace(missing, 'x'));
    }),
  ];
}

function durabilityCases({ files, folder }: FileBed): readonly ContractCase[] {
  return [
    contractCase('files and folders can be synced; a missing one is not found', async () => {
      const own = await scratchFolder(folder);
      await writeFile(join(own, 'file'), 'x');
      await files.syncFile(join(own, 'file'));
      await files.syncFolder(own);
      await rejectsWith('PATH_NOT_FOUND', () => files.syncFile(join(own, 'missing')));
    }),
    contractCase('createFolder returns the topmost folder it had to create', async () => {
      const own = await scratchFolder(folder);
      const deep = join(own, 'a', 'b', 'c');
      assert.equal(await files.createFolder(deep), join(own, 'a'));
      assert.ok((await stat(deep)).isDirectory());
      assert.equal(await files.createFolder(deep), undefined);
    }),
  ];
}

async function replaceOften(files: FileBed['files'], path: string): Promise<void> {
  for (let round = 1; round <= ROUNDS; round += 1) await files.replace(path, contentOf(round));
}

async function readUntil(path: string, end: Promise<void>): Promise<number> {
  const writer = { ended: false };
  const markEnd = (): void => void (writer.ended = true);
  end.then(markEnd, markEnd);
  let seen = 0;
  while (!writer.ended) {
    const content = await readIfOpenable(path);
    if (content !== undefined) assert.equal(content, contentOf(Number.parseInt(content, 10)));
    seen += content === undefined ? 0 : 1;
    // A reader that never lets go would keep some systems from replacing the file at all.
    await sleep(READ_PAUSE_MS);
  }
  await end;
  return seen;
}

/** Some systems refuse to open a file at the very moment of its replacement; a missing file is never right. */
async function readIfOpenable(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (['EBUSY', 'EPERM', 'EACCES'].includes(code)) return undefined;
    throw error;
  }
}

function contentOf(round: number): string {
  return `${round} `.padEnd(CONTENT_BYTES, String(round % 10));
}

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}
