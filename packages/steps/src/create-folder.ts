import { dirname } from 'node:path';
import { defineStep, type StepHandler } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { missingFolders } from './existing-path.ts';
import type { StepPorts } from './ports.ts';
import { removeIfEmpty } from './remove-if-empty.ts';

const CreateFolder = z.object({ kind: z.literal('create-folder'), path: z.string() });
export type CreateFolder = z.infer<typeof CreateFolder>;

/**
 * Creates a folder, and the parents it lacks, private to the system and its administrators: whoever can rename a
 * parent owns what is below it. One that is there already is left as it is.
 */
export const createFolder: StepHandler<StepPorts> = defineStep({
  kind: 'create-folder',
  step: CreateFolder,
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
