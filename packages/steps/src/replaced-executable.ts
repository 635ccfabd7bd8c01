import { dirname } from 'node:path';
import { EXECUTABLE_MODE, type FileStore, digestIfAny } from '@fenestra/platform';
import * as z from 'zod/mini';
import { previousVersion } from './previous-version.ts';

/** The program that was in place: its digest, or `null` for none. */
export const BeforeExecutable = z.object({ digest: z.nullable(z.string()) });
type BeforeExecutable = z.infer<typeof BeforeExecutable>;

/** Looks at the program that is in place. */
export async function lookAtExecutable(path: string): Promise<BeforeExecutable> {
  return { digest: await digestIfAny(path) };
}

/** Keeps the program that is in place beside it, as `previousVersion` says. */
export async function keepExecutable(
  path: string,
  { digest }: BeforeExecutable,
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
  { digest }: BeforeExecutable,
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
