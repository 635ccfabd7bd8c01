import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { EXECUTABLE_MODE, pathExists, digestIfAny } from '@fenestra/platform';
import { OperatorError } from '@fenestra/kernel';
import {
  changedMeanwhile,
  stagedPath,
  BeforeFile,
  keepExecutable,
  lookAt,
  putExecutableBack,
} from './replaced-files.ts';
import { defineStep } from './define-step.ts';

/**
 * Puts a program in place, verified by its digest, although the old one may be running.
 * The old one is kept beside it, as `previousVersion` says, for the rollback.
 */
export const placeExecutable = defineStep({
  kind: 'place-executable',
  data: z.object({ from: z.string(), to: z.string(), sha256: z.string() }),
  before: BeforeFile,
  describe: ({ from, to }) => `Copy "${from}" to "${to}"`,
  prepare: async ({ to }) => lookAt(to),
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

/**
 * Puts a staged program in the place of another by renaming alone: copying and hashing are done before the service
 * stops, so that it is down only for as long as a restart takes.
 */
export const swapExecutable = defineStep({
  kind: 'swap-executable',
  data: z.object({
    /** The new program, verified and beside the old one. */
    staged: z.string(),
    to: z.string(),
    /** A copy of the old program, for the rollback. */
    backup: z.string(),
    backupSha256: z.string(),
  }),
  describe: ({ to }) => `Put the new program in place of "${to}"`,
  async apply({ staged, to, backupSha256 }, _before, { ports }) {
    if (await pathExists(staged)) await ports.files.replaceInUse(staged, to);
    // After a crash in here the exchange may have happened already; otherwise someone took the new program away.
    else if ((await digestIfAny(to)) === backupSha256) throw stagedIsGone(staged);
  },
  async revert(step, _before, { ports }, signal) {
    const { staged, to, backup, backupSha256 } = step;
    if ((await digestIfAny(to)) === backupSha256) return;
    await ports.files.copy(backup, staged, { mode: EXECUTABLE_MODE }, signal).catch(async (cause: unknown) => {
      if (!(cause instanceof OperatorError) || cause.code !== 'DISK_FULL') throw cause;
      // There is room for one of the two programs only, and this is not the one that is wanted.
      await ports.files.removeTree(to, dirname(to), signal);
      await ports.files.copy(backup, staged, { mode: EXECUTABLE_MODE }, signal);
    });
    await ports.files.replaceInUse(staged, to);
  },
});

function stagedIsGone(path: string): OperatorError {
  return new OperatorError('FILE_FAILED', `Cannot find the new program at "${path}" any more`, {
    hint: 'Look for a virus scanner or a person that takes programs away, then run the command again.',
  });
}
