import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileError, OperatorError, systemCodeOf, type StepContext } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { missingFolders } from '@fenestra/platform';
import { defineStep } from './define-step.ts';
import type { StepPorts } from '@fenestra/session';
import { removeIfEmpty } from './remove-if-empty.ts';

const Paths = z.readonly(z.array(z.string()));

/** `missing` are folders that were not there; `found` says what those held that were. */
const Before = z.object({
  missing: Paths,
  found: z.readonly(z.array(z.object({ folder: z.string(), entries: Paths }))),
});

/**
 * Makes private folders for a program that is about to fill them. On the way back everything goes that was not there
 * before, and nothing else.
 */
export const claimFolders = defineStep({
  kind: 'claim-folders',
  data: z.object({
    /** Folders in which a program makes files of names that nobody knows before, parents first. */
    folders: Paths,
  }),
  before: Before,
  describe: ({ folders }) => `Make private folders: ${folders.map((folder) => `"${folder}"`).join(', ')}`,
  async prepare({ folders }) {
    const missing = [...new Set((await Promise.all(folders.map(missingFolders))).flat())];
    const there = folders.filter((folder) => !missing.includes(folder));
    return { missing, found: await Promise.all(there.map(listFolder)) };
  },
  async apply(_step, { missing }, { ports }) {
    for (const folder of missing) {
      await ports.files.createFolder(folder);
      await ports.access.makePrivate(folder);
    }
  },
  async revert({ folders }, { missing, found }, context, signal) {
    for (const folder of folders.toReversed()) {
      const before = found.find((listing) => listing.folder === folder)?.entries ?? [];
      const { entries } = await listFolder(folder);
      for (const name of entries.filter((entry) => !before.includes(entry)))
        await removeUnlessMounted(join(folder, name), context, signal);
    }
    for (const folder of missing.toReversed()) {
      if (await removeIfEmpty(folder)) await context.ports.files.syncFolder(dirname(folder));
    }
  },
});

async function listFolder(folder: string): Promise<{ folder: string; entries: readonly string[] }> {
  const entries = await readdir(folder).catch((cause: unknown) => {
    if (systemCodeOf(cause) === 'ENOENT') return [];
    throw fileError(cause, `list the folder "${folder}"`);
  });
  return { folder, entries };
}

async function removeUnlessMounted(
  path: string,
  { ports, say }: StepContext<StepPorts>,
  signal: AbortSignal,
): Promise<void> {
  try {
    await ports.files.removeTree(path, dirname(path), signal);
  } catch (error) {
    if (!(error instanceof OperatorError && error.code === 'UNSAFE_PATH')) throw error;
    say(`${error.message}; it is kept`, { lasting: true });
  }
}
