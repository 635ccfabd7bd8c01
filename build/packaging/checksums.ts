import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { signRelease } from '@fenestra/releases';

/** The file that `sha256sum --check` takes. */
export const CHECKSUMS_FILE = 'SHA256SUMS';

/** The file beside it with the signature over its bytes, made like that of `release.json`. */
export const CHECKSUMS_SIGNATURE_FILE = 'SHA256SUMS.sig';

/** Writes the digests of everything in a release's folder and, with a key, the signature over them. */
export async function writeChecksums(folder: string, signKey: string | undefined): Promise<void> {
  const lines: string[] = [];
  for (const name of (await readdir(folder)).toSorted()) lines.push(`${await sha256Of(join(folder, name))}  ${name}\n`);
  const bytes = Buffer.from(lines.join(''));
  await writeFile(join(folder, CHECKSUMS_FILE), bytes);
  if (signKey !== undefined) await writeFile(join(folder, CHECKSUMS_SIGNATURE_FILE), signRelease(bytes, signKey));
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
