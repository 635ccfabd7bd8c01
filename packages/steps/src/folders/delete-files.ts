import { dirname, join } from 'node:path';
import { type Step, OperatorError, type StepContext, fileError, systemCodeOf } from '@fenestra/kernel';
import * as z from 'zod/mini';
import type { StepPorts } from '@fenestra/session';
import { namesIn, pathExists } from '@fenestra/platform';
import { rmdir } from 'node:fs/promises';
import { defineStep } from '../define-step.ts';
import { previousVersion } from '../replaced-files.ts';
import { type JudgedFolder, matchesAny } from './judge-folders.ts';

/** Deletes a file or folder strictly inside `root`. There is no rollback, so the plan can only go forward from here. */
export const removePath = defineStep({
  kind: 'remove-path',
  pointOfNoReturn: true,
  data: z.object({
    path: z.string(),
    root: z.string(),
  }),
  describe: ({ path }) => `Delete "${path}"`,
  apply: async ({ path, root }, _before, { ports }, signal) => ports.files.removeTree(path, root, signal),
});

/** The step that deletes one file or folder. */
export function remove(path: string): Step {
  return removePath({ path, root: dirname(path) });
}

/** Deletes what no one needs any more. If someone holds it, it stays: that is not a reason to call the work unfinished. */
export const discardPath = defineStep({
  kind: 'discard-path',
  pointOfNoReturn: true,
  data: z.object({
    path: z.string(),
    root: z.string(),
  }),
  describe: ({ path }) => `Delete "${path}", which is not needed any more`,
  async apply({ path, root }, _before, { ports, say }, signal) {
    await ports.files.removeTree(path, root, signal).catch((error: unknown) => {
      if (!(error instanceof OperatorError)) throw error;
      say(`"${path}" stays for now: ${error.message}`);
    });
  },
});

/** The step that discards one file or folder. */
export function discard(path: string): Step {
  return discardPath({ path, root: dirname(path) });
}

/** The step that discards what was kept of a replaced file; none where nothing was replaced. */
export function discardPrevious(path: string, digest: string | undefined): readonly Step[] {
  return digest === undefined ? [] : [discard(previousVersion(path, digest))];
}

/**
 * Deletes what bears one of the names in a folder, and the folder if nothing else is left in it. What others have put
 * there stays, and so does whatever something is mounted in.
 */
export const clearFolder = defineStep({
  kind: 'clear-folder',
  pointOfNoReturn: true,
  data: z.object({
    folder: z.string(),
    /** The names to delete, `*` standing for any characters: a running program makes more files after the plan is made. */
    names: z.readonly(z.array(z.string())),
    /** Whether the folder goes, too, if nothing else is in it. */
    removeFolder: z.boolean(),
  }),
  describe: ({ folder, removeFolder }) =>
    removeFolder ? `Delete "${folder}", as far as it is the node's` : `Delete the node's files in "${folder}"`,
  async apply({ folder, names, removeFolder }, _before, context, signal) {
    const found = await namesIn(folder);
    for (const name of found.filter((entry) => matchesAny(entry, names))) {
      await removeUnlessMounted(join(folder, name), folder, context, signal);
    }
    if (removeFolder && (await removeIfEmpty(folder))) await context.ports.files.syncFolder(dirname(folder));
  },
});

/** The steps that delete what a reset decided to delete. */
export function clearJudged(folders: readonly JudgedFolder[]): readonly Step[] {
  return folders
    .filter(({ goes, vanishes }) => goes.length > 0 || vanishes)
    .map(({ path: folder, names, own: removeFolder }) => clearFolder({ folder, names, removeFolder }));
}

/** Removes a path inside `folder`; what something is mounted in stays, and that is said. */
export async function removeUnlessMounted(
  path: string,
  folder: string,
  { ports, say, lasting }: Pick<StepContext<StepPorts>, 'ports' | 'say'> & { readonly lasting?: true },
  signal: AbortSignal,
): Promise<void> {
  try {
    await ports.files.removeTree(path, folder, signal);
  } catch (error) {
    if (!(error instanceof OperatorError && error.code === 'UNSAFE_PATH')) throw error;
    say(`${error.message}; it is kept`, lasting && { lasting });
  }
}

/** Not empty, gone, in use as a mount point, or no folder any more. */
const NOT_OURS = ['ENOENT', 'ENOTEMPTY', 'EEXIST', 'EBUSY', 'ENOTDIR'];

/** Deletes a folder that is empty. What someone has put into it or mounted there in the meantime is not ours to remove. */
export async function removeIfEmpty(folder: string): Promise<boolean> {
  // Even to delete what is not there, a read-only disk would be an error.
  if (!(await pathExists(folder))) return false;
  try {
    await rmdir(folder);
    return true;
  } catch (cause) {
    if (NOT_OURS.includes(systemCodeOf(cause))) return false;
    throw fileError(cause, `delete the folder "${folder}"`);
  }
}
