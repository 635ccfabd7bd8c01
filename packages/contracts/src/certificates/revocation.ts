import * as z from 'zod/mini';

/** The secret in the cloud's namespace that lists the revoked nodes: one key per node. */
export const REVOCATIONS_SECRET = 'revokednodes';

/**
 * A node whose certificates are no longer accepted. Certificates that the node got since, by a token for this very
 * revocation or by renewing such a certificate, are known by their keys, so no clock has to be right.
 */
export interface Revocation {
  /** Distinguishes it from an earlier or later revocation of the same node: a token names the one it lifts. */
  readonly id: string;
  /** When, in ISO 8601, for people. */
  readonly revokedAt: string;
  readonly reason?: string | undefined;
  /** SHA-256 of the public keys of certificates issued since, hex. */
  readonly acceptedKeys: readonly string[];
}

const Stored = z.object({
  id: z.string(),
  revokedAt: z.string(),
  reason: z.optional(z.string()),
  acceptedKeys: z.array(z.string()),
});

/** An entry that cannot be read still revokes. */
const UNREADABLE: Revocation = { id: '', revokedAt: '', reason: 'the entry cannot be read', acceptedKeys: [] };

/** Reads an entry of the secret. */
export function readRevocation(bytes: Uint8Array): Revocation {
  try {
    return Stored.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch {
    return UNREADABLE;
  }
}

/** Writes an entry of the secret. */
export function writeRevocation(revocation: Revocation): Buffer {
  return Buffer.from(JSON.stringify(revocation));
}

/** Whether certificates with this key are revoked. */
export function revokesKey(revocation: Revocation | undefined, keyHash: string): boolean {
  return revocation !== undefined && !revocation.acceptedKeys.includes(keyHash);
}

/** The namespace in which the cloud keeps its own objects. */
export const CLOUD_NAMESPACE = 'kubeedge';

/** The secrets that hold the cloud's identity, with their keys. Certificates and keys are DER; EC keys are SEC1. */
export const CLOUD_SECRETS = {
  ca: { name: 'casecret', certificate: 'cadata', key: 'cakeydata' },
  server: { name: 'cloudcoresecret', certificate: 'cloudcoredata', key: 'cloudcorekeydata' },
  token: { name: 'tokensecret', token: 'tokendata' },
} as const;
