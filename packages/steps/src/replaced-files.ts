import { basename, dirname, join } from 'node:path';
import { stat } from 'node:fs/promises';
import { OperatorError } from '@fenestra/kernel';
import { EXECUTABLE_MODE, type FileStore, digestIfAny } from '@fenestra/platform';
import * as z from 'zod/mini';
import type { StepPorts } from '@fenestra/session';

/** Where a file that was replaced is kept until the plan is through; its digest tells one version from another. */
export function previousVersion(path: string, digest: string): string {
  return join(dirname(path), `previous-${digest.slice(0, 12)}-${basename(path)}`);
}

/** Where a new version of a file is until it replaces the old one: beside it, so that one move is enough. */
export function stagedPath(path: string): string {
  return join(dirname(path), `staged-${basename(path)}`);
}

/** The error for a file that is not the one the plan was made for. */
export function changedMeanwhile(path: string): OperatorError {
  return new OperatorError('FILE_FAILED', `Cannot use "${path}": it changed after the plan was made`, {
    hint: 'Make sure that no program writes to the file, then run the command again.',
  });
}

/** Keeps the program that is in place beside it, as `previousVersion` says. */
export async function keepExecutable(
  path: string,
  { digest }: BeforeFile,
  files: FileStore,
  signal: AbortSignal,
): Promise<void> {
  // After a crash in here the new program may be in place already, which must not pass for the previous one.
  if (digest === null || (await digestIfAny(path)) !== digest) return;
  await files.copy(path, previousVersion(path, digest), { mode: EXECUTABLE_MODE }, signal);
}

/** Puts the kept program back, although the new one may be running, and removes `staged` files and the kept copy. */
export async function putExecutableBack(
  { path, staged }: { readonly path: string; readonly staged: readonly string[] },
  { digest }: BeforeFile,
  files: FileStore,
  signal: AbortSignal,
): Promise<void> {
  const remove = async (leftover: string): Promise<void> => files.removeTree(leftover, dirname(path), signal);
  for (const leftover of staged.flatMap(withPartial)) await remove(leftover);
  if (digest === null) return remove(path);
  const previous = previousVersion(path, digest);
  if ((await digestIfAny(path)) !== digest) await files.replaceInUse(previous, path);
  for (const leftover of withPartial(previous)) await remove(leftover);
}

/** A file, and what a copy of it that was cut off leaves behind. */
function withPartial(path: string): readonly string[] {
  return [path, `${path}.partial`];
}

const PERMISSION_BITS = 0o7777;

/** What was there before a file was put in place: its digest, or `null` for nothing. */
export const BeforeFile = z.object({ digest: z.nullable(z.string()) });
export type BeforeFile = z.infer<typeof BeforeFile>;

/** Looks at the place before anything happens to it. */
export async function lookAt(path: string): Promise<BeforeFile> {
  return { digest: await digestIfAny(path) };
}

/** Puts a text in place; what was there is kept beside it, as `previousVersion` says, for the rollback. */
export async function putInPlace(
  { path, content }: { readonly path: string; readonly content: string },
  before: BeforeFile,
  ports: StepPorts,
  signal: AbortSignal,
): Promise<void> {
  await keepBefore(path, before, ports, signal);
  await ports.files.replace(path, content);
}

/** Keeps what was in the place beside it. */
export async function keepBefore(
  path: string,
  before: BeforeFile,
  { files }: StepPorts,
  signal: AbortSignal,
): Promise<void> {
  // After a crash in here the file may be the new one already, which must not pass for the previous one.
  if (before.digest !== null && (await digestIfAny(path)) === before.digest) {
    const mode = (await stat(path)).mode & PERMISSION_BITS;
    await files.copy(path, previousVersion(path, before.digest), { mode }, signal);
  }
}

/** Makes the place what it was. */
export async function putBack(
  path: string,
  before: BeforeFile,
  { files }: StepPorts,
  signal: AbortSignal,
): Promise<void> {
  const folder = dirname(path);
  if (before.digest === null) return files.removeTree(path, folder, signal);
  const previous = previousVersion(path, before.digest);
  if ((await digestIfAny(path)) !== before.digest) await files.move(previous, path);
  await files.removeTree(previous, folder, signal);
}
