import { JOIN_TOKEN_ALGORITHM, type JoinClaims, readJwtPayload } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import type { SecretData, SecretStore } from '@fenestra/lifecycle/cloud';
import { errors, jwtVerify } from 'jose';
import type { Authority } from '../certificates/authority.ts';
import { hashPublicKey } from '../certificates/key-pair.ts';

/** What signs tokens, and what they are checked against. */
export type TokenAuthority = Pick<Authority, 'certificate' | 'tokenSecret'>;

/** The clocks of the cloud's replicas and of anyone who makes tokens may differ by this much. */
const CLOCK_TOLERANCE_SECONDS = 60;

/** Checks the signature and time of a token's JWT; throws `TOKEN_INVALID`, never quoting it. A token without a time is none. */
export async function verifyJoinToken(authority: TokenAuthority, jwt: string, now: Date): Promise<JoinClaims> {
  const { payload } = await jwtVerify(jwt, authority.tokenSecret, {
    algorithms: [JOIN_TOKEN_ALGORITHM],
    requiredClaims: ['exp'],
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    currentDate: now,
  }).catch((cause: unknown) => {
    throw unverified(cause instanceof errors.JWTExpired ? 'it has expired' : 'this cloud has not made it');
  });
  const claims = readJwtPayload(payload);
  if (claims === undefined) throw unverified('its claims are not understood');
  return claims;
}

function unverified(reason: string): OperatorError {
  return new OperatorError('TOKEN_INVALID', `Cannot accept the join token: ${reason}`, {
    hint: 'Get the present token with "keadm gettoken".',
  });
}

/** The secret that remembers which single-use tokens were used, until they would have expired anyway. */
const USED_TOKENS_SECRET = 'usedjointokens';

/** A single-use token and who wants to use it. */
interface TokenUse {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** SubjectPublicKeyInfo of the key the certificate is for. */
  readonly publicKey: Uint8Array;
}

/** Longer than any clock tolerance, so that no used token is forgotten while it would still be accepted. */
const AFTERLIFE_MS = 60 * 60 * 1000;
const KEY_OF_SECRET = /^[-\w.]{1,200}$/;

/**
 * Uses up a single-use token permanently, on all replicas; throws `TOKEN_INVALID` if it was used before.
 * The same key may come again: its first answer may have been lost on the way.
 */
export async function useToken(store: SecretStore, use: TokenUse, now: Date, signal: AbortSignal): Promise<void> {
  if (!KEY_OF_SECRET.test(use.id)) throw refused('its id is malformed');
  const mark = `${use.expiresAt}:${hashPublicKey(use.publicKey)}`;
  const after = await store.update(
    USED_TOKENS_SECRET,
    (current = {}) => ({ [use.id]: Buffer.from(mark), ...unexpired(current, now) }),
    signal,
  );
  if (textOf(after[use.id]) !== mark) throw refused('it can be used only once, and was');
}

function unexpired(data: SecretData, now: Date): SecretData {
  return Object.fromEntries(
    Object.entries(data).filter(([, mark]) => Number.parseInt(textOf(mark), 10) > now.getTime() - AFTERLIFE_MS),
  );
}

function textOf(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString('utf8');
}

function refused(reason: string): OperatorError {
  return new OperatorError('TOKEN_INVALID', `Cannot accept the join token: ${reason}`, {
    hint: 'Make another token for this node with "keadm gettoken".',
  });
}
