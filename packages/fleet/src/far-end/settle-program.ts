import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { OperatorError } from '@fenestra/kernel';
import type { FarEndPorts } from './ports.ts';

/** SHA-256 of a file, in lower-case hexadecimal. */
export async function fileDigest(path: string): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), digest);
  return digest.digest('hex');
}

/** Gives a program that has just arrived its final name, if it is what was sent. It may be the one that runs this. */
export async function settleProgram(
  arrived: string,
  { to, sha256 }: { readonly to: string; readonly sha256: string },
  { files }: Pick<FarEndPorts, 'files'>,
): Promise<void> {
  const found = await fileDigest(arrived);
  if (found === sha256) return files.move(arrived, to);
  throw new OperatorError('DELIVERY_FAILED', `Cannot use the program that arrived: its digest is ${found}`, {
    hint: `Send the one with the digest ${sha256} again.`,
    details: { found, expected: sha256 },
  });
}
