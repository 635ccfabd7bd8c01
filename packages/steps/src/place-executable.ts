import { basename, dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { changedMeanwhile } from './changed-meanwhile.ts';
import { defineStep } from './ports.ts';
import { digestIfAny, previousVersion } from './previous-version.ts';

const EXECUTABLE_MODE = 0o755;

/**
 * Puts a program in place, verified by its digest, although the old one may be running.
 * The old one is kept beside it, as `previousVersion` says, for the way back.
 */
export const placeExecutable = defineStep({
  kind: 'place-executable',
  data: z.object({
    from: z.string(),
    to: z.string(),
    sha256: z.string(),
  }),
  before: z.object({ digest: z.nullable(z.string()) }),
  describe: ({ from, to }) => `Copy "${from}" to "${to}"`,
  prepare: async ({ to }) => ({ digest: await digestIfAny(to) }),
  async apply({ from, to, sha256 }, before, { ports, progress }, signal) {
    // After a crash in here `to` may be the new program already, which must not pass for the previous one.
    if (before.digest !== null && (await digestIfAny(to)) === before.digest) {
      await ports.files.copy(to, previousVersion(to, before.digest), { mode: EXECUTABLE_MODE }, signal);
    }
    const staged = stagedExecutable(to);
    const copied = await ports.files.copy(from, staged, { mode: EXECUTABLE_MODE, onProgress: progress }, signal);
    if (copied.sha256 !== sha256) throw changedMeanwhile(from);
    await ports.files.replaceInUse(staged, to);
  },
  async revert({ to }, { digest }, { ports }, signal) {
    const remove = async (path: string): Promise<void> => ports.files.removeTree(path, dirname(to), signal);
    for (const leftover of [stagedExecutable(to), partial(stagedExecutable(to))]) await remove(leftover);
    if (digest === null) return remove(to);
    const previous = previousVersion(to, digest);
    if ((await digestIfAny(to)) !== digest) await ports.files.replaceInUse(previous, to);
    for (const leftover of [previous, partial(previous)]) await remove(leftover);
  },
});

function stagedExecutable(path: string): string {
  return join(dirname(path), `staged-${basename(path)}`);
}

/** What a copy that was cut off leaves behind. */
function partial(path: string): string {
  return `${path}.partial`;
}
