import { dirname, join } from 'node:path';
import type { StepPorts } from '@fenestra/session';

/**
 * Puts a secret in place that nobody else could read at any moment, whatever the rights of its folder: it is written
 * inside a private folder of its own, and keeps its own rights when it is moved out.
 */
export async function placePrivately(
  path: string,
  content: string,
  { files, access }: Pick<StepPorts, 'files' | 'access'>,
  signal: AbortSignal,
): Promise<void> {
  const nursery = nurseryOf(path);
  const inside = join(nursery, 'content');
  await files.createFolder(nursery);
  await access.makePrivate(nursery);
  await files.replace(inside, content);
  await access.makePrivate(inside);
  await files.move(inside, path);
  await files.removeTree(nursery, dirname(path), signal);
}

/** Removes a secret, and what a placement that was cut off has left of it. */
export async function removePrivately(
  path: string,
  { files }: Pick<StepPorts, 'files'>,
  signal: AbortSignal,
): Promise<void> {
  await forgetPlacement(path, { files }, signal);
  await files.removeTree(path, dirname(path), signal);
}

/** Removes what a placement that was cut off has left beside its place. */
export async function forgetPlacement(
  path: string,
  { files }: Pick<StepPorts, 'files'>,
  signal: AbortSignal,
): Promise<void> {
  await files.removeTree(nurseryOf(path), dirname(path), signal);
}

/** The private folder in which a secret is made before it is moved to its place. */
export function nurseryOf(path: string): string {
  return `${path}.private`;
}
