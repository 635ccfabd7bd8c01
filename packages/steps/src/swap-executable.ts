import { defineStep, type StepHandler } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { pathExists } from './existing-path.ts';
import type { StepPorts } from './ports.ts';
import { digestIfAny } from './previous-version.ts';

const EXECUTABLE_MODE = 0o755;

const SwapExecutable = z.object({
  kind: z.literal('swap-executable'),
  /** The new program, verified and beside the old one. */
  staged: z.string(),
  to: z.string(),
  /** A copy of the old program, for the way back. */
  backup: z.string(),
  backupSha256: z.string(),
});
export type SwapExecutable = z.infer<typeof SwapExecutable>;

/**
 * Puts a staged program in the place of another by renaming alone: copying and hashing are done before the service
 * stops, so that it is down only for as long as a restart takes.
 */
export const swapExecutable: StepHandler<StepPorts> = defineStep({
  kind: 'swap-executable',
  step: SwapExecutable,
  before: z.null(),
  describe: ({ to }) => `Put the new program in place of "${to}"`,
  prepare: async () => null,
  async apply({ staged, to }, _before, { ports }) {
    // After a crash in here the rename may have happened already.
    if (await pathExists(staged)) await ports.files.replaceInUse(staged, to);
  },
  async revert({ staged, to, backup, backupSha256 }, _before, { ports }, signal) {
    if ((await digestIfAny(to)) === backupSha256) return;
    await ports.files.copy(backup, staged, { mode: EXECUTABLE_MODE }, signal);
    await ports.files.replaceInUse(staged, to);
  },
});
