import { createHash } from 'node:crypto';
import { OperatorError } from '@fenestra/kernel';
import * as z from 'zod/mini';

/**
 * What a join token says. Upstream's says only when it expires; one for a single node names it in `sub`, and one that
 * counts only once carries an id in `jti`.
 */
export interface JoinClaims {
  /** Milliseconds since 1970. */
  readonly expiresAt?: number;
  readonly node?: string;
  readonly id?: string;
  /** The revocation of the node that the token lifts. */
  readonly revocation?: string;
}

/** The claims to sign, in the names JWT has for them. */
interface JwtPayload {
  readonly exp: number;
  readonly sub?: string;
  readonly jti?: string;
  readonly revocation?: string;
}

/** A token for one node names it as its certificate will: this prefix and the node's name. */
const SUBJECT_PREFIX = 'system:node:';

/** Cloud side: the payload of a new token. JWT counts in whole seconds. */
export function jwtPayload(claims: JoinClaims & { readonly expiresAt: number }): JwtPayload {
  return {
    exp: Math.floor(claims.expiresAt / 1000),
    ...(claims.node === undefined ? {} : { sub: `${SUBJECT_PREFIX}${claims.node}` }),
    ...(claims.id === undefined ? {} : { jti: claims.id }),
    ...(claims.revocation === undefined ? {} : { revocation: claims.revocation }),
  };
}

/** The claims in a payload, such as a verified one; undefined if it is none of ours. */
export function readJwtPayload(payload: unknown): JoinClaims | undefined {
  const result = Payload.safeParse(payload);
  if (!result.success) return undefined;
  const { exp, sub, jti, revocation } = result.data;
  if (sub !== undefined && !sub.startsWith(SUBJECT_PREFIX)) return undefined;
  return {
    ...(exp === undefined ? {} : { expiresAt: exp * 1000 }),
    ...(sub === undefined ? {} : { node: sub.slice(SUBJECT_PREFIX.length) }),
    ...(jti === undefined ? {} : { id: jti }),
    ...(revocation === undefined ? {} : { revocation }),
  };
}

/** The claims of a JWT's three parts, unverified; undefined if they are not HMAC-signed JWT. */
function readJwtClaims(parts: readonly string[]): JoinClaims | undefined {
  const [header = '', payload = '', signature = ''] = parts;
  if (!Header.safeParse(decodePart(header)).success || !BASE64URL.test(signature)) return undefined;
  return readJwtPayload(decodePart(payload));
}

const BASE64URL = /^[\w-]+$/;
const Header = z.object({ alg: z.literal('HS256') });
const Payload = z.object({
  exp: z.optional(z.number()),
  sub: z.optional(z.string()),
  jti: z.optional(z.string()),
  revocation: z.optional(z.string()),
});

function decodePart(part: string): unknown {
  if (!BASE64URL.test(part)) return undefined;
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The one signature a join token may have: HMAC with the CA's private key (its DER bytes) as the secret. */
export const JOIN_TOKEN_ALGORITHM = 'HS256';

/** A join token taken apart. Its shape is right; its signature is for the cloud to check. */
export interface JoinToken {
  /** Hex SHA-256 of the CA certificate's DER bytes, in lower case. */
  readonly caHash: string;
  /** What the node sends as bearer token. */
  readonly jwt: string;
  readonly claims: JoinClaims;
}

/** Puts a join token together: the CA's hash, a dot, the signed token. */
export function composeJoinToken(caCertificate: Uint8Array, jwt: string): string {
  return `${caHashOf(caCertificate)}.${jwt}`;
}

/** Takes a join token apart, or throws `TOKEN_INVALID` saying what is wrong with its shape, never quoting it. */
export function parseJoinToken(text: string): JoinToken {
  const [caHash = '', ...parts] = text.trim().split('.');
  if (parts.length !== 3) throw malformed(`it has ${parts.length + 1} parts instead of 4`);
  if (!/^[0-9a-f]{64}$/i.test(caHash)) throw malformed('it does not start with the hash of a CA');
  const claims = readJwtClaims(parts);
  if (claims === undefined) throw malformed('what follows the hash is not a signed token');
  return { caHash: caHash.toLowerCase(), jwt: parts.join('.'), claims };
}

/** Refuses a token whose time is over. `now` is in milliseconds. A wrong clock on either side looks the same. */
export function checkJoinTokenTime({ claims }: JoinToken, now: number): void {
  if (claims.expiresAt === undefined || now < claims.expiresAt) return;
  throw new OperatorError('TOKEN_INVALID', 'Cannot join with this token: it has expired', {
    hint: 'Get the present token with "keadm gettoken", and check that the clock of this machine is right.',
    details: { expiredAt: describeTime(claims.expiresAt), now: describeTime(now) },
  });
}

/** Refuses a CA certificate (DER) that is not the one the token was made for. */
export function checkCaHash({ caHash }: JoinToken, caCertificate: Uint8Array): void {
  const actual = caHashOf(caCertificate);
  if (actual === caHash) return;
  throw new OperatorError('TOKEN_INVALID', "Cannot trust the cloud: its CA is not the token's", {
    hint: 'Check the address of the cloud, and take the token from the same cloud.',
    details: { expectedCaHash: caHash, actualCaHash: actual },
  });
}

/** Hex SHA-256 of a CA certificate's DER bytes. */
export function caHashOf(caCertificate: Uint8Array): string {
  return createHash('sha256').update(caCertificate).digest('hex');
}

function malformed(reason: string): OperatorError {
  return new OperatorError('TOKEN_INVALID', `Cannot read the join token: ${reason}`, {
    hint: 'Copy the whole token from "keadm gettoken".',
  });
}

function describeTime(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? String(time) : date.toISOString();
}
