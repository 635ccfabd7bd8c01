import { dirname } from 'node:path';
import { defineStep, OperatorError, type StepHandler } from '@fenestra/kernel';
import * as z from 'zod/mini';
import type { StepPorts } from './ports.ts';
import { digestIfAny, previousVersion } from './previous-version.ts';

const CopyFile = z.object({
  kind: z.literal('copy-file'),
  from: z.string(),
  to: z.string(),
  sha256: z.string(),
  /** POSIX permission bits of the copy. */
  mode: z.number(),
});
export type CopyFile = z.infer<typeof CopyFile>;

/** Copies a file that no program runs from, verified by its digest; what it replaces is kept for the way back. */
export const copyFile: StepHandler<StepPorts> = defineStep({
  kind: 'copy-file',
  step: CopyFile,
  before: z.object({ digest: z.nullable(z.string()) }),
  describe: ({ from, to }) => `Copy "${from}" to "${to}"`,
  prepare: async ({ to }) => ({ digest: await digestIfAny(to) }),
  async apply({ from, to, sha256, mode }, { digest }, { ports, progress }, signal) {
    const present = await digestIfAny(to);
    if (present === sha256) return;
    if (digest !== null && present === digest) await ports.files.move(to, previousVersion(to, digest));
    const copied = await ports.files.copy(from, to, { mode, onProgress: progress }, signal);
    if (copied.sha256 !== sha256) throw changedMeanwhile(from);
  },
  async revert({ to, sha256 }, { digest }, { ports }, signal) {
    const folder = dirname(to);
    await ports.files.removeTree(`${to}.partial`, folder, signal);
    if (digest === sha256) return;
    const previous = digest === null ? undefined : previousVersion(to, digest);
    if ((await digestIfAny(to)) !== digest) await ports.files.removeTree(to, folder, signal);
    if (previous !== undefined && (await digestIfAny(previous)) !== null) await ports.files.move(previous, to);
  },
});

function changedMeanwhile(path: string): OperatorError {
  return new OperatorError('FILE_FAILED', `Cannot use "${path}": it changed after the plan was made`, {
    hint: 'Make sure nobody writes to the file, then run the command again.',
  });
}
