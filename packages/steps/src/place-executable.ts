import * as z from 'zod/mini';
import { changedMeanwhile } from './changed-meanwhile.ts';
import { defineStep } from './define-step.ts';
import { stagedPath } from './previous-version.ts';
import { BeforeExecutable, keepExecutable, lookAtExecutable, putExecutableBack } from './replaced-executable.ts';
import { EXECUTABLE_MODE } from '@fenestra/platform';

/**
 * Puts a program in place, verified by its digest, although the old one may be running.
 * The old one is kept beside it, as `previousVersion` says, for the way back.
 */
export const placeExecutable = defineStep({
  kind: 'place-executable',
  data: z.object({ from: z.string(), to: z.string(), sha256: z.string() }),
  before: BeforeExecutable,
  describe: ({ from, to }) => `Copy "${from}" to "${to}"`,
  prepare: async ({ to }) => lookAtExecutable(to),
  async apply({ from, to, sha256 }, before, { ports: { files }, progress }, signal) {
    await keepExecutable(to, before, files, signal);
    const staged = stagedPath(to);
    const copied = await files.copy(from, staged, { mode: EXECUTABLE_MODE, onProgress: progress }, signal);
    if (copied.sha256 !== sha256) throw changedMeanwhile(from);
    await files.replaceInUse(staged, to);
  },
  revert: async ({ to }, before, { ports }, signal) =>
    putExecutableBack({ path: to, staged: [stagedPath(to)] }, before, ports.files, signal),
});
