import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileError } from '@fenestra/kernel';
import type { FileStore } from '@fenestra/platform';
import { copyFile, replaceFile } from './place-file.ts';
import { createFolder, syncPath } from './create-folder.ts';
import { removeTree } from './remove-tree.ts';

const PRIVATE_MODE = 0o600;

/** Files on a Linux file system. */
export function posixFileStore(): FileStore {
  return {
    replace: (path, content, { mode = PRIVATE_MODE } = {}) =>
      explained(`write "${path}"`, () => replaceFile(path, content, mode)),
    move: (from, to) => explained(`move "${from}" to "${to}"`, () => move(from, to)),
    async replaceInUse(from, to) {
      await explained(`replace "${to}" by "${from}"`, () => move(from, to));
      // A running program keeps its old file until it ends, although the name is gone.
      return { setAside: undefined };
    },
    copy: (from, to, options, signal) =>
      explained(`copy "${from}" to "${to}"`, () => copyFile(from, to, options, signal)),
    syncFile: syncPath,
    syncFolder: syncPath,
    createFolder: (path) => explained(`create folder "${path}"`, () => createFolder(path)),
    removeTree: (path, root, signal) => explained(`delete "${path}"`, () => removeTree(path, root, signal)),
  };
}

async function move(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncPath(dirname(to));
  if (dirname(from) !== dirname(to)) await syncPath(dirname(from));
}

async function explained<Result>(action: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (cause) {
    throw fileError(cause, action);
  }
}
