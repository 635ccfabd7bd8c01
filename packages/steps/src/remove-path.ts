import { defineStep, type StepHandler } from '@fenestra/kernel';
import * as z from 'zod/mini';
import type { StepPorts } from './ports.ts';

const RemovePath = z.object({
  kind: z.literal('remove-path'),
  path: z.string(),
  root: z.string(),
  pointOfNoReturn: z.literal(true),
});
export type RemovePath = z.infer<typeof RemovePath>;

/** Deletes a file or folder strictly inside `root`. There is no way back, so the plan can only go forward from here. */
export const removePath: StepHandler<StepPorts> = defineStep({
  kind: 'remove-path',
  step: RemovePath,
  before: z.null(),
  describe: ({ path }) => `Delete "${path}"`,
  prepare: async () => null,
  apply: async ({ path, root }, _before, { ports }, signal) => ports.files.removeTree(path, root, signal),
  revert: async () => {
    throw new Error('A deletion cannot be reverted, and the executor never asks for it');
  },
});
