import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { missingFolders, pathExists } from '@fenestra/platform';
import { defineStep } from './define-step.ts';
import { removeIfEmpty } from './remove-if-empty.ts';

const Paths = z.readonly(z.array(z.string()));

/** What was not there: `parents` are shared with others, the rest is the node's. */
const Before = z.object({ parents: Paths, folders: Paths, traces: Paths });

/**
 * Makes room for a node: its private folders. On the way back everything goes that was not there before, whoever of
 * us made it, and nothing else: a folder that was there keeps what it held.
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
  before: Before,
  describe: ({ nodeName, cloud }) => `Make private folders for the node "${nodeName}" of the cloud at "${cloud}"`,
  async prepare({ folders, traces }) {
    const missing = { folders: await absent(folders), traces: await absent(traces) };
    return { parents: await missingParents([...folders, ...traces], missing.folders), ...missing };
  },
  async apply(_step, { parents, folders }, { ports }) {
    // A parent's path is shorter than its child's: nothing is made in a folder that is not private yet.
    for (const folder of [...parents, ...folders].toSorted((a, b) => a.length - b.length)) {
      await ports.files.createFolder(folder);
      await ports.access.makePrivate(folder);
    }
  },
  async revert(_step, { parents, folders, traces }, { ports }, signal) {
    for (const path of [...traces, ...folders.toReversed()]) await ports.files.removeTree(path, dirname(path), signal);
    for (const parent of parents.toReversed()) {
      if (await removeIfEmpty(parent)) await ports.files.syncFolder(dirname(parent));
    }
  },
});

async function absent(paths: readonly string[]): Promise<readonly string[]> {
  const there = await Promise.all(paths.map(pathExists));
  return paths.filter((_path, index) => there[index] === false);
}

/** The folders above these paths that are missing and nobody's own, each once and before what is below it. */
async function missingParents(paths: readonly string[], own: readonly string[]): Promise<readonly string[]> {
  const all = await Promise.all(paths.map(async (path) => missingFolders(dirname(path))));
  return [...new Set(all.flat())].filter((folder) => !own.includes(folder));
}
