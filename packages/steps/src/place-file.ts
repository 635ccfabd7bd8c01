import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Step } from '@fenestra/kernel';
import { type FileStore, pathExists, digestIfAny } from '@fenestra/platform';
import * as z from 'zod/mini';
import { changedMeanwhile, previousVersion, stagedPath } from './replaced-files.ts';
import { defineStep } from './define-step.ts';

const PERMISSION_BITS = 0o7777;

const PlaceFile = z.object({
  from: z.string(),
  to: z.string(),
  sha256: z.string(),
  /** POSIX permission bits. */
  mode: z.number(),
  /** Where the old file is kept for the rollback, in a folder that is there. */
  keep: z.string(),
  /** Endings of files that belong to the old one and go with it: a database has `-wal` and `-shm` beside it. */
  companions: z.array(z.string()),
});
type PlaceFile = z.infer<typeof PlaceFile>;

const Found = z.nullable(z.object({ digest: z.string(), mode: z.number() }));
type Found = z.infer<typeof Found>;

/** One of the files the step is about: the file itself, or a companion. */
interface Kept {
  readonly path: string;
  readonly keep: string;
  readonly found: Found;
}

/**
 * Puts a file in the place of another that no one has open. The old one and its companions come back together or not
 * at all: a database must never meet the log of another.
 */
export const placeFile = defineStep({
  kind: 'place-file',
  data: PlaceFile,
  before: z.object({ main: Found, companions: z.array(Found) }),
  describe: ({ from, to }) => `Copy "${from}" to "${to}"`,
  async prepare({ to, companions }) {
    const found = await Promise.all(companions.map(async (ending) => lookAt(`${to}${ending}`)));
    return { main: await lookAt(to), companions: found };
  },
  async apply(step, before, { ports, progress }, signal) {
    const { from, to, sha256, mode } = step;
    const [main, companions] = keptFiles(step, before.main, before.companions);
    // The file itself is kept last: that it is kept means that all of them are.
    if (!(await isKept(main))) for (const kept of [...companions, main]) await keepOld(kept, ports.files, signal);
    const staged = stagedPath(to);
    const copied = await ports.files.copy(from, staged, { mode, onProgress: progress }, signal);
    if (copied.sha256 !== sha256) throw changedMeanwhile(from);
    for (const { path } of companions) await ports.files.removeTree(path, dirname(path), signal);
    await ports.files.move(staged, to);
  },
  async revert(step, before, { ports: { files } }, signal) {
    const [main, companions] = keptFiles(step, before.main, before.companions);
    const remove = async (path: string): Promise<void> => files.removeTree(path, dirname(path), signal);
    for (const leftover of [stagedPath(step.to), `${stagedPath(step.to)}.partial`]) await remove(leftover);
    const touched = main.found === null || (await isKept(main));
    if (touched) for (const kept of [...companions, main]) await putBack(kept, files, signal);
    for (const { keep } of [main, ...companions]) for (const path of [keep, `${keep}.partial`]) await remove(path);
  },
});

interface CopiedFile {
  readonly sha256: string;
  readonly mode: number;
  /** Digest of what is replaced, if anything is. */
  readonly replacedSha256?: string;
}

/** The step that copies a file to a place where no one has another one open. */
export function copyFile(from: string, to: string, { sha256, mode, replacedSha256 = 'nothing' }: CopiedFile): Step {
  return placeFile({ from, to, sha256, mode, keep: previousVersion(to, replacedSha256), companions: [] });
}

async function lookAt(path: string): Promise<Found> {
  const digest = await digestIfAny(path);
  return digest === null ? null : { digest, mode: (await stat(path)).mode & PERMISSION_BITS };
}

function keptFiles(
  { to, keep, companions: endings }: PlaceFile,
  found: Found,
  companions: readonly Found[],
): readonly [Kept, readonly Kept[]] {
  const beside = endings.map((ending, index) => ({
    path: `${to}${ending}`,
    keep: `${keep}${ending}`,
    found: companions[index] ?? null,
  }));
  return [{ path: to, keep, found }, beside];
}

async function isKept({ keep, found }: Kept): Promise<boolean> {
  return found !== null && pathExists(keep);
}

async function keepOld({ path, keep: to, found }: Kept, files: FileStore, signal: AbortSignal): Promise<void> {
  // After a crash in the middle, what is in place may be the new file, which must not pass for the old one.
  if (found === null || (await digestIfAny(path)) !== found.digest) return;
  await files.copy(path, to, { mode: found.mode }, signal);
}

/** By a copy, so that being cut off here loses nothing. */
async function putBack(kept: Kept, files: FileStore, signal: AbortSignal): Promise<void> {
  const { path, keep: from, found } = kept;
  if (found === null) return files.removeTree(path, dirname(path), signal);
  if ((await digestIfAny(path)) === found.digest || !(await isKept(kept))) return;
  await files.copy(from, path, { mode: found.mode }, signal);
}
