import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { defineStep, OperatorError, type StepHandler } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { pathExists } from './existing-path.ts';
import type { StepPorts } from './ports.ts';

const EXECUTABLE_MODE = 0o755;

const PlaceExecutable = z.object({
  kind: z.literal('place-executable'),
  from: z.string(),
  to: z.string(),
  sha256: z.string(),
});
export type PlaceExecutable = z.infer<typeof PlaceExecutable>;

/**
 * Puts a program in place, verified by its digest, although the old one may be running.
 * The old one is kept as `previousExecutable(to)` for the way back.
 */
export const placeExecutable: StepHandler<StepPorts> = defineStep({
  kind: 'place-executable',
  step: PlaceExecutable,
  before: z.object({ digest: z.nullable(z.string()) }),
  describe: ({ from, to }) => `Copy "${from}" to "${to}"`,
  prepare: async ({ to }) => ({ digest: await digestIfAny(to) }),
  async apply({ from, to, sha256 }, before, { ports, progress }, signal) {
    // After a crash in here `to` may be the new program already, which must not pass for the previous one.
    if (before.digest !== null && (await digestIfAny(to)) === before.digest) {
      await ports.files.copy(to, previousExecutable(to), { mode: EXECUTABLE_MODE }, signal);
    }
    const staged = stagedExecutable(to);
    const copied = await ports.files.copy(from, staged, { mode: EXECUTABLE_MODE, onProgress: progress }, signal);
    if (copied.sha256 !== sha256) throw changedMeanwhile(from);
    await ports.files.replaceInUse(staged, to);
  },
  async revert({ to }, before, { ports }, signal) {
    const folder = dirname(to);
    await ports.files.removeTree(stagedExecutable(to), folder, signal);
    if (before.digest === null) return ports.files.removeTree(to, folder, signal);
    if ((await digestIfAny(to)) !== before.digest) await ports.files.replaceInUse(previousExecutable(to), to);
    await ports.files.removeTree(previousExecutable(to), folder, signal);
  },
});

/** Where the program that was replaced is kept until the plan is through. */
export function previousExecutable(path: string): string {
  return join(dirname(path), `previous-${basename(path)}`);
}

/** The digest a plan promises for a file. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

async function digestIfAny(path: string): Promise<string | null> {
  return (await pathExists(path)) ? digestOf(path) : null;
}

function stagedExecutable(path: string): string {
  return join(dirname(path), `staged-${basename(path)}`);
}

function changedMeanwhile(path: string): OperatorError {
  return new OperatorError('FILE_FAILED', `Cannot use "${path}": it changed after the plan was made`, {
    hint: 'Make sure nobody writes to the file, then run the command again.',
  });
}
