import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { fileError } from '@fenestra/kernel';
import { pathExists, digestOf } from '@fenestra/platform';
import type { Digest } from '../agent-source.ts';

/** A file's digest by either algorithm that programs are published with, in lower-case hexadecimal. */
export async function fileDigest(path: string, algorithm: Digest['algorithm']): Promise<string> {
  if (algorithm === 'sha256') return digestOf(path);
  const hash = createHash(algorithm);
  await pipeline(createReadStream(path), hash).catch((cause: unknown) => {
    throw fileError(cause, `read "${path}"`);
  });
  return hash.digest('hex');
}

/** Whether a file is there and has this digest. */
export async function hasDigest(path: string, { algorithm, hex }: Digest): Promise<boolean> {
  return (await pathExists(path)) && (await fileDigest(path, algorithm)) === hex;
}
