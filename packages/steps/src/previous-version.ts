import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileError } from '@fenestra/kernel';
import { digestAside } from './digest-aside.ts';
import { digestMeanwhile } from './digest-meanwhile.ts';
import { pathExists } from './existing-path.ts';

/** From here on a thread of its own is worth its start. */
const LARGE_BYTES = 32 * 1024 * 1024;

/** Where a file that was replaced is kept until the plan is through; its digest tells one version from another. */
export function previousVersion(path: string, digest: string): string {
  return join(dirname(path), `previous-${digest.slice(0, 12)}-${basename(path)}`);
}

/** The digest a plan promises for a file, in lower-case hexadecimal. */
export async function digestOf(path: string): Promise<string> {
  try {
    if ((await stat(path)).size >= LARGE_BYTES) return await digestAside(path);
  } catch (cause) {
    throw fileError(cause, `read "${path}"`);
  }
  return digestMeanwhile(path);
}

/** The digest of a file, or `null` if there is none. */
export async function digestIfAny(path: string): Promise<string | null> {
  return (await pathExists(path)) ? digestOf(path) : null;
}
