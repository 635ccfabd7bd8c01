import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import type { StepPorts } from '@fenestra/session';
import { digestIfAny } from '@fenestra/platform';
import { previousVersion } from './previous-version.ts';

const PERMISSION_BITS = 0o7777;

/** What was there before a text was put in place: its digest, or `null` for nothing. */
export const BeforeText = z.object({ digest: z.nullable(z.string()) });
export type BeforeText = z.infer<typeof BeforeText>;

/** Looks at the place before anything happens to it. */
export async function lookAt(path: string): Promise<BeforeText> {
  return { digest: await digestIfAny(path) };
}

/** Puts a text in place; what was there is kept beside it, as `previousVersion` says, for the way back. */
export async function putInPlace(
  { path, content }: { readonly path: string; readonly content: string },
  before: BeforeText,
  ports: StepPorts,
  signal: AbortSignal,
): Promise<void> {
  await keepBefore(path, before, ports, signal);
  await ports.files.replace(path, content);
}

/** Keeps what was in the place beside it. */
export async function keepBefore(
  path: string,
  before: BeforeText,
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
  before: BeforeText,
  { files }: StepPorts,
  signal: AbortSignal,
): Promise<void> {
  const folder = dirname(path);
  if (before.digest === null) return files.removeTree(path, folder, signal);
  const previous = previousVersion(path, before.digest);
  if ((await digestIfAny(path)) !== before.digest) await files.move(previous, path);
  await files.removeTree(previous, folder, signal);
}
