import { basename, dirname, join } from 'node:path';

/** Where a file that was replaced is kept until the plan is through; its digest tells one version from another. */
export function previousVersion(path: string, digest: string): string {
  return join(dirname(path), `previous-${digest.slice(0, 12)}-${basename(path)}`);
}

/** Where a new version of a file is until it replaces the old one: beside it, so that one move is enough. */
export function stagedPath(path: string): string {
  return join(dirname(path), `staged-${basename(path)}`);
}
