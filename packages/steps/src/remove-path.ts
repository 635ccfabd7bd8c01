import { dirname } from 'node:path';
import type { Step } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { defineStep } from './define-step.ts';

/** Deletes a file or folder strictly inside `root`. There is no way back, so the plan can only go forward from here. */
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
