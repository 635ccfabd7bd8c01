import { JOIN_TOKEN_ALGORITHM, readJwtPayload, type JoinClaims } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { errors, jwtVerify } from 'jose';
import type { Authority } from '../certificates/authority.ts';

/** What signs tokens, and what they are checked against. */
export type TokenAuthority = Pick<Authority, 'certificate' | 'tokenSecret'>;

/** The clocks of the cloud's replicas and of whoever makes tokens may differ by this much. */
const CLOCK_TOLERANCE_SECONDS = 60;

/** Checks the signature and time of a token's JWT; throws `TOKEN_INVALID`, never quoting it. A token without a time is none. */
export async function verifyJoinToken(authority: TokenAuthority, jwt: string, now: Date): Promise<JoinClaims> {
  const { payload } = await jwtVerify(jwt, authority.tokenSecret, {
    algorithms: [JOIN_TOKEN_ALGORITHM],
    requiredClaims: ['exp'],
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    currentDate: now,
  }).catch((cause: unknown) => {
    throw refused(cause instanceof errors.JWTExpired ? 'it has expired' : 'this cloud has not made it');
  });
  const claims = readJwtPayload(payload);
  if (claims === undefined) throw refused('its claims are not understood');
  return claims;
}

function refused(reason: string): OperatorError {
  return new OperatorError('TOKEN_INVALID', `Cannot accept the join token: ${reason}`, {
    hint: 'Get the present token with "keadm gettoken".',
  });
}
