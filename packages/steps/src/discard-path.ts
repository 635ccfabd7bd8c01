import { defineStep, OperatorError, type StepHandler } from '@fenestra/kernel';
import * as z from 'zod/mini';
import type { StepPorts } from './ports.ts';

const DiscardPath = z.object({
  kind: z.literal('discard-path'),
  path: z.string(),
  root: z.string(),
  pointOfNoReturn: z.literal(true),
});
export type DiscardPath = z.infer<typeof DiscardPath>;

/** Deletes what nobody needs any more. If somebody holds it, it stays: that is no reason to call the work unfinished. */
export const discardPath: StepHandler<StepPorts> = defineStep({
  kind: 'discard-path',
  step: DiscardPath,
  before: z.null(),
  describe: ({ path }) => `Delete "${path}", which is not needed any more`,
  prepare: async () => null,
  async apply({ path, root }, _before, { ports, say }, signal) {
    await ports.files.removeTree(path, root, signal).catch((error: unknown) => {
      if (!(error instanceof OperatorError)) throw error;
      say(`"${path}" stays for now: ${error.message}`);
    });
  },
  revert: async () => {
    throw new Error('A deletion cannot be reverted, and the executor never asks for it');
  },
});
