import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileError, OperatorError } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { parseAddress } from './http/address.ts';
import { lookUp } from './http/lookup.ts';
import { releaseInvalid } from './release-errors.ts';
import { readIfAny } from './sources/local-files.ts';

/** A detached signature over the whole file, and the key that must have made it. */
export const PieceSignature = z.object({
  /** An absolute path, or an HTTPS address without credentials. */
  location: z.string(),
  /** Public, in PEM form. */
  key: z.string(),
});
export type PieceSignature = z.infer<typeof PieceSignature>;

/** Throws `RELEASE_UNTRUSTED` unless the key has signed the file; where no signature is asked for there is none to check. */
export async function requireSigned(
  file: string,
  signature: PieceSignature | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (signature === undefined) return;
  const written = await readSignature(signature.location, signal);
  const content = await readFile(file).catch((cause: unknown) => {
    throw fileError(cause, `read "${file}"`);
  });
  if (isSignedBy(content, written, createPublicKey(signature.key))) return;
  throw new OperatorError(
    'RELEASE_UNTRUSTED',
    `Cannot trust "${file}": "${signature.location}" is not a signature of it`,
    {
      hint: 'Check the origin of the file, its signature and the key: they do not match.',
    },
  );
}

/** Whether the key has signed the content. Signatures are written in base64 or as they are. */
export function isSignedBy(content: Uint8Array, written: Buffer, key: KeyObject): boolean {
  const algorithm = key.asymmetricKeyType === 'ed25519' || key.asymmetricKeyType === 'ed448' ? null : 'sha256';
  return spellings(written).some((signature) => tryVerify(algorithm, content, key, signature));
}

function spellings(written: Buffer): readonly Buffer[] {
  const text = written.toString('latin1').trim();
  return /^[A-Za-z0-9+/=\s]+$/.test(text) ? [Buffer.from(text, 'base64'), written] : [written];
}

/** Of some forms the verifier says that they are wrong by an error. */
function tryVerify(algorithm: 'sha256' | null, content: Uint8Array, key: KeyObject, signature: Buffer): boolean {
  try {
    return verify(algorithm, content, key, signature);
  } catch {
    return false;
  }
}

async function readSignature(location: string, signal: AbortSignal): Promise<Buffer> {
  const url = parseAddress(location);
  const found =
    url === undefined
      ? await readIfAny(location)
      : (await lookUp({ url, variables: process.env, httpsOnly: true }, signal))?.bytes;
  if (found === undefined) throw releaseInvalid(`find the signature "${location}"`, 'Check the path or address.');
  return found;
}
