import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileError, OperatorError, systemCodeOf, type Step, type StepContext } from '@fenestra/kernel';
import * as z from 'zod/mini';
import type { JudgedFolder } from './folders/judge-folders.ts';
import { matchesAny } from './name-pattern.ts';
import { defineStep } from './define-step.ts';
import type { StepPorts } from '@fenestra/session';
import { removeIfEmpty } from './remove-if-empty.ts';

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
    const found = await entriesOf(folder);
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

async function entriesOf(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((cause: unknown) => {
    if (systemCodeOf(cause) === 'ENOENT') return [];
    throw fileError(cause, `list the folder "${folder}"`);
  });
}

async function removeUnlessMounted(
  path: string,
  folder: string,
  { ports, say }: StepContext<StepPorts>,
  signal: AbortSignal,
): Promise<void> {
  try {
    await ports.files.removeTree(path, folder, signal);
  } catch (error) {
    if (!(error instanceof OperatorError && error.code === 'UNSAFE_PATH')) throw error;
    say(`${error.message}; it is kept`);
  }
}
