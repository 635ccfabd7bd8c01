import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { missingFolders } from '@fenestra/platform';
import { defineStep } from './define-step.ts';
import { removeIfEmpty } from './remove-if-empty.ts';

/**
 * Creates a folder, and the parents it lacks, private to the system and its administrators: whoever can rename a
 * parent owns what is below it. One that is there already is left as it is.
 */
export const createFolder = defineStep({
  kind: 'create-folder',
  data: z.object({ path: z.string() }),
  before: z.object({ missing: z.array(z.string()) }),
  describe: ({ path }) => `Create the private folder "${path}"`,
  prepare: async ({ path }) => ({ missing: [...(await missingFolders(path))] }),
  async apply(_step, { missing }, { ports }) {
    for (const folder of missing) {
      await ports.files.createFolder(folder);
      await ports.access.makePrivate(folder);
    }
  },
  async revert(_step, { missing }, { ports }) {
    for (const folder of missing.toReversed()) {
      if (await removeIfEmpty(folder)) await ports.files.syncFolder(dirname(folder));
    }
  },
});
