import { dirname } from 'node:path';
import { defineStep, type StepHandler } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { topmostMissing } from './existing-path.ts';
import type { StepPorts } from './ports.ts';

const CreateFolder = z.object({ kind: z.literal('create-folder'), path: z.string() });
export type CreateFolder = z.infer<typeof CreateFolder>;

/** Creates a folder private to the system and its administrators. One that is there already is left as it is. */
export const createFolder: StepHandler<StepPorts> = defineStep({
  kind: 'create-folder',
  step: CreateFolder,
  before: z.object({ topmostMissing: z.nullable(z.string()) }),
  describe: ({ path }) => `Create the private folder "${path}"`,
  prepare: async ({ path }) => ({ topmostMissing: await topmostMissing(path) }),
  async apply({ path }, before, { ports }) {
    if (before.topmostMissing === null) return;
    await ports.files.createFolder(path);
    await ports.access.makePrivate(path);
  },
  async revert(_step, before, { ports }, signal) {
    if (before.topmostMissing === null) return;
    await ports.files.removeTree(before.topmostMissing, dirname(before.topmostMissing), signal);
  },
});
