import { basename, dirname, join } from 'node:path';
import { digestOf } from './digest.ts';
import { pathExists } from './existing-path.ts';

/** Where a file that was replaced is kept until the plan is through; its digest tells one version from another. */
export function previousVersion(path: string, digest: string): string {
  return join(dirname(path), `previous-${digest.slice(0, 12)}-${basename(path)}`);
}

/** Where a new version of a file is until it replaces the old one: beside it, so that one move is enough. */
export function stagedPath(path: string): string {
  return join(dirname(path), `staged-${basename(path)}`);
}

/** The digest of a file, or `null` if there is none. */
export async function digestIfAny(path: string): Promise<string | null> {
  return (await pathExists(path)) ? digestOf(path) : null;
}
