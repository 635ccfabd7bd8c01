import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { fileError } from '@fenestra/kernel';
import { pathExists, digestOf } from '@fenestra/platform';
import type { Digest } from '../agent-source.ts';
import { releaseInvalid } from '../release-errors.ts';

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

/** The endings of the files that Kubernetes publishes beside each program, the stronger first. */
export const CHECKSUM_ENDINGS = ['.sha512', '.sha256'] as const;
type ChecksumEnding = (typeof CHECKSUM_ENDINGS)[number];

const FORMS = {
  '.sha512': { algorithm: 'sha512', pattern: /^([0-9a-f]{128})(?:\s|$)/i },
  '.sha256': { algorithm: 'sha256', pattern: /^([0-9a-f]{64})(?:\s|$)/i },
} as const;

/** What a checksum file promises. Kubernetes writes the digest alone; `sha512sum` adds the file's name. */
export function parseProgramChecksum(text: string, name: string, ending: ChecksumEnding): Digest {
  const { algorithm, pattern } = FORMS[ending];
  const [, hex] = pattern.exec(text.trim()) ?? [];
  if (hex !== undefined) return { algorithm, hex: hex.toLowerCase() };
  throw releaseInvalid(
    `read "${name}": it holds no ${algorithm} digest`,
    'Get the checksum file again from the source of the program.',
  );
}
