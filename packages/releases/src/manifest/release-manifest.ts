import { verify } from 'node:crypto';
import * as z from 'zod/mini';
import { isVersion, tryParseJson } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { keyFingerprint, publicKey } from './trust-key.ts';

/** The file in a release's folder that says what the release consists of. */
export const RELEASE_FILE = 'release.json';

/** The file beside it with the signature over its exact bytes, in base64. */
export const SIGNATURE_FILE = 'release.json.sig';

/** Forward slashes, downwards only, and no character that any system gives its own meaning. */
const RELATIVE_PATH = /^(?!\.{1,2}(?:\/|$))[\w.-]+(?:\/(?!\.{1,2}(?:\/|$))[\w.-]+)*$/;

const ReleaseFile = z.strictObject({
  os: z.enum(['linux', 'windows']),
  arch: z.enum(['x64', 'arm64']),
  path: z.string().check(z.regex(RELATIVE_PATH, 'must be a path below the release')),
  size: z.int().check(z.positive()),
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 digest in lower-case hexadecimal')),
});
/** One executable of a release. */
export type ReleaseFile = z.infer<typeof ReleaseFile>;

/** `release.json`: which executables a release consists of. What it does not know it refuses. */
const ReleaseManifest = z.strictObject({
  schema: z.literal(1),
  product: z.literal('fenestra'),
  version: z.string().check(z.refine((text) => text.startsWith('v') && isVersion(text), 'must be a version: v1.2.3')),
  files: z.array(ReleaseFile).check(z.refine(hasOneFilePerTarget, 'must have one file for each system')),
});
export type ReleaseManifest = z.infer<typeof ReleaseManifest>;

function hasOneFilePerTarget(files: readonly ReleaseFile[]): boolean {
  return files.length > 0 && new Set(files.map(({ os, arch }) => `${os} ${arch}`)).size === files.length;
}

/** The bytes of a manifest: the same release always gives the same ones. */
export function releaseManifestText(version: string, files: readonly ReleaseFile[]): string {
  const inOrder = files.toSorted((left, right) => (left.path < right.path ? -1 : 1));
  const manifest: ReleaseManifest = { schema: 1, product: 'fenestra', version, files: inOrder };
  return `${JSON.stringify(ReleaseManifest.parse(manifest), null, 2)}\n`;
}

const SIGNATURE_BYTES = 64;

/** A manifest that may be believed. */
export interface TrustedRelease {
  readonly manifest: ReleaseManifest;
  /** The fingerprint of the key that signed it; `undefined` if no key is trusted and so none was asked for. */
  readonly signedBy: string | undefined;
}

/**
 * Reads `release.json` from its exact bytes. Where keys are trusted, one of them must have signed these bytes, or it
 * throws `RELEASE_UNTRUSTED`; what is not a manifest is `RELEASE_INVALID`. Nothing is parsed before it is trusted.
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
  if (signer === undefined) throw untrusted('it is not signed by a trusted key');
  return keyFingerprint(signer);
}

function parseManifest(bytes: Uint8Array): ReleaseManifest {
  const parsed = ReleaseManifest.safeParse(tryParseJson(Buffer.from(bytes).toString('utf8')));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? 'it' : issue.path.join('.');
  throw new OperatorError('RELEASE_INVALID', `Cannot read the release's manifest: ${place}: ${issue?.message ?? ''}`, {
    hint: 'Get the release again from its source. A newer manifest format needs a newer keadm.',
  });
}

function untrusted(reason: string): OperatorError {
  return new OperatorError('RELEASE_UNTRUSTED', `Cannot trust the release: ${reason}`, {
    hint: 'Check the origin of the release; give its signer\'s public key with "--trust-key FILE".',
  });
}
