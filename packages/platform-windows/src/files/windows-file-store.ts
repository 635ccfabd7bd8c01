import { mkdir, writeFile } from 'node:fs/promises';
import { win32 } from 'node:path';
import { fileError } from '@fenestra/kernel';
import type { FileStore } from '@fenestra/platform';
import type { Native } from '../native.ts';
import { copyFile } from './copy.ts';
import { flushFile, flushFolder, flushParent } from './file-handles.ts';
import { moveFile } from './move.ts';
import { removeTree } from './remove-tree.ts';
import { replaceInUse } from './replace-in-use.ts';
import { withTemporary } from './beside.ts';

/** Files on NTFS, by the calls that promise to be on the disk when they return. */
export function windowsFileStore(native: Native): FileStore {
  return {
    replace: (path, content) => replace(native, path, content),
    async move(from, to) {
      await moveFile(native, { from, to, replace: true });
      flushParent(native, to);
    },
    replaceInUse: (from, to) => replaceInUse(native, from, to),
    async copy(from, to, options, signal) {
      const result = await copyFile(native, { from, to, options }, signal);
      flushParent(native, to);
      return result;
    },
    syncFile: flushFile,
    syncFolder: async (path) => flushFolder(native, path),
    createFolder: (path) => createFolder(native, path),
    removeTree: (path, root, signal) => removeTree(native, path, root, signal),
  };
}

async function replace(native: Native, path: string, content: string | Uint8Array): Promise<void> {
  const action = `write "${path}"`;
  await withTemporary(path, action, async (temporary) => {
    await writeFile(temporary, content, { flag: 'wx', flush: true });
    await moveFile(native, { from: temporary, to: path, replace: true, action });
  });
  flushParent(native, path);
}

async function createFolder(native: Native, path: string): Promise<string | undefined> {
  const full = win32.resolve(path);
  try {
    const topmost = plainPath(await mkdir(full, { recursive: true }));
    if (topmost !== undefined) flushDownFrom(native, topmost, full);
    return topmost;
  } catch (cause) {
    throw fileError(cause, `create the folder "${path}"`);
  }
}

/** Node may answer with the prefix of long paths, which the caller did not use. */
function plainPath(path: string | undefined): string | undefined {
  return path?.replace(/^\\\\\?\\(?=[A-Za-z]:)/, '');
}

/** Every new folder is an entry of its parent. */
function flushDownFrom(native: Native, topmost: string, lowest: string): void {
  flushParent(native, lowest);
  if (lowest.length > topmost.length) flushDownFrom(native, topmost, win32.dirname(lowest));
}
