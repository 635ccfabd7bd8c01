import { verify } from 'node:crypto';
import { OperatorError } from '@fenestra/kernel';
import { tryParseJson } from '@fenestra/contracts';
import { ReleaseManifest } from './release-manifest.ts';
import { keyFingerprint, publicKey } from './trust-key.ts';

const SIGNATURE_BYTES = 64;

/** A manifest that may be believed. */
export interface TrustedRelease {
  readonly manifest: ReleaseManifest;
  /** The fingerprint of the key that signed it; `undefined` if no key is trusted and so none was asked for. */
  readonly signedBy: string | undefined;
}

/**
 * Reads `release.json` from its exact bytes. Where keys are trusted, one of them must have signed these bytes, or it
 * throws `RELEASE_UNTRUSTED`; what is no manifest is `RELEASE_INVALID`. Nothing is parsed before it is trusted.
 */
export function readRelease(
  bytes: Uint8Array,
  signature: string | undefined,
  trustKeys: readonly string[],
): TrustedRelease {
  const signedBy = trustKeys.length === 0 ? undefined : signerOf(bytes, signature, trustKeys);
  return { manifest: parseManifest(bytes), signedBy };
}

function signerOf(bytes: Uint8Array, signature: string | undefined, trustKeys: readonly string[]): string {
  if (signature === undefined) throw untrusted('it is not signed');
  const raw = Buffer.from(signature.trim(), 'base64');
  if (raw.length !== SIGNATURE_BYTES) throw untrusted('its signature is malformed');
  const signer = trustKeys.map((pem) => publicKey(pem, 'a trusted key')).find((key) => verify(null, bytes, key, raw));
  if (signer === undefined) throw untrusted('it is not signed by a key that is trusted here');
  return keyFingerprint(signer);
}

function parseManifest(bytes: Uint8Array): ReleaseManifest {
  const parsed = ReleaseManifest.safeParse(tryParseJson(Buffer.from(bytes).toString('utf8')));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? 'it' : issue.path.join('.');
  throw new OperatorError('RELEASE_INVALID', `Cannot read the release's manifest: ${place}: ${issue?.message ?? ''}`, {
    hint: 'Get the release again from its source; a manifest of a newer kind needs a newer keadm.',
  });
}

function untrusted(reason: string): OperatorError {
  return new OperatorError('RELEASE_UNTRUSTED', `Cannot trust the release: ${reason}`, {
    hint: 'Check where the release comes from; give its signer\'s public key with "--trust-key FILE".',
  });
}
