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
export interface JwtPayload {
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

/** The claims of a JWT's three parts, unverified; undefined if they are no HMAC-signed JWT. */
export function readJwtClaims(parts: readonly string[]): JoinClaims | undefined {
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
