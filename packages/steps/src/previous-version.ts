import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileError } from '@fenestra/kernel';
import { pathExists } from './existing-path.ts';

/** Where a file that was replaced is kept until the plan is through; its digest tells one version from another. */
export function previousVersion(path: string, digest: string): string {
  return join(dirname(path), `previous-${digest.slice(0, 12)}-${basename(path)}`);
}

/** The digest a plan promises for a file, in lower-case hexadecimal. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash).catch((cause: unknown) => {
    throw fileError(cause, `read "${path}"`);
  });
  return hash.digest('hex');
}

/** The digest of a file, or `null` if there is none. */
export async function digestIfAny(path: string): Promise<string | null> {
  return (await pathExists(path)) ? digestOf(path) : null;
}
