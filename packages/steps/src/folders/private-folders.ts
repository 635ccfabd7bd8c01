import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { missingFolders, namesIn, missingPaths } from '@fenestra/platform';
import type { StepPorts } from '@fenestra/session';
import { defineStep } from '../define-step.ts';
import { removeUnlessMounted, removeIfEmpty } from './delete-files.ts';

/**
 * Creates a folder, and the parents it lacks, private to the system and its administrators: anyone who can rename a
 * parent owns what is below it. One that is there already is left as it is.
 */
export const createFolder = defineStep({
  kind: 'create-folder',
  data: z.object({ path: z.string() }),
  before: z.object({ missing: z.array(z.string()) }),
  describe: ({ path }) => `Create the private folder "${path}"`,
  prepare: async ({ path }) => ({ missing: [...(await missingFolders(path))] }),
  async apply(_step, { missing }, { ports }) {
    await createPrivate(missing, ports);
  },
  async revert(_step, { missing }, { ports }) {
    await removeEmpty(missing, ports);
  },
});

const Paths = z.readonly(z.array(z.string()));

/** `missing` are folders that were not there; `found` says what those held that were. */
const Before = z.object({
  missing: Paths,
  found: z.readonly(z.array(z.object({ folder: z.string(), entries: Paths }))),
});

/**
 * Makes private folders for a program that is about to fill them. During the rollback everything goes that was not there
 * before, and nothing else.
 */
export const claimFolders = defineStep({
  kind: 'claim-folders',
  data: z.object({
    /** Folders in which a program makes files of names that no one knows before, parents first. */
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
    await createPrivate(missing, ports);
  },
  async revert({ folders }, { missing, found }, context, signal) {
    for (const folder of folders.toReversed()) {
      const before = found.find((listing) => listing.folder === folder)?.entries ?? [];
      const { entries } = await listFolder(folder);
      for (const name of entries.filter((entry) => !before.includes(entry)))
        await removeUnlessMounted(join(folder, name), folder, { ...context, lasting: true }, signal);
    }
    await removeEmpty(missing, context.ports);
  },
});

async function listFolder(folder: string): Promise<{ folder: string; entries: readonly string[] }> {
  return { folder, entries: await namesIn(folder) };
}

/** What was not there: `parents` are shared with others, the rest is the node's. */
const BeforeNode = z.object({ parents: Paths, folders: Paths, traces: Paths });

/**
 * Makes room for a node: its private folders. During the rollback everything goes that was not there before, and
 * nothing else: a folder that was there keeps what it held.
 */
export const claimNode = defineStep({
  kind: 'claim-node',
  data: z.object({
    nodeName: z.string(),
    /** The cloud's HTTPS server. */
    cloud: z.string(),
    /** Folders that are the node's alone, parents first. */
    folders: Paths,
    /** What else the agent makes by itself once it runs. */
    traces: Paths,
  }),
  before: BeforeNode,
  describe: ({ nodeName, cloud }) => `Make private folders for the node "${nodeName}" of the cloud at "${cloud}"`,
  async prepare({ folders, traces }) {
    const missing = { folders: await missingPaths(folders), traces: await missingPaths(traces) };
    return { parents: await missingParents([...folders, ...traces], missing.folders), ...missing };
  },
  async apply(_step, { parents, folders }, { ports }) {
    // A parent's path is shorter than its child's: nothing is made in a folder that is not private yet.
    await createPrivate(
      [...parents, ...folders].toSorted((a, b) => a.length - b.length),
      ports,
    );
  },
  async revert(_step, { parents, folders, traces }, { ports }, signal) {
    for (const path of [...traces, ...folders.toReversed()]) await ports.files.removeTree(path, dirname(path), signal);
    await removeEmpty(parents, ports);
  },
});

/** The folders above these paths that are missing and no one's own, each once and before what is below it. */
async function missingParents(paths: readonly string[], own: readonly string[]): Promise<readonly string[]> {
  const all = await Promise.all(paths.map(async (path) => missingFolders(dirname(path))));
  return [...new Set(all.flat())].filter((folder) => !own.includes(folder));
}

/** Creates these folders, parents first, each private before anything is made in it. */
export async function createPrivate(
  folders: readonly string[],
  { files, access }: Pick<StepPorts, 'files' | 'access'>,
): Promise<void> {
  for (const folder of folders) {
    await files.createFolder(folder);
    await access.makePrivate(folder);
  }
}

async function removeEmpty(folders: readonly string[], { files }: StepPorts): Promise<void> {
  for (const folder of folders.toReversed()) if (await removeIfEmpty(folder)) await files.syncFolder(dirname(folder));
}
