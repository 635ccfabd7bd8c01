import { composeJoinToken, JOIN_TOKEN_ALGORITHM, jwtPayload, type JoinClaims } from '@fenestra/contracts';
import { SignJWT } from 'jose';

/** What signs join tokens: the cloud's CA. */
export interface TokenSigner {
  /** The CA's certificate, DER. */
  readonly certificate: Uint8Array;
  /** The CA's private key, DER: the secret of the signature. */
  readonly tokenSecret: Uint8Array;
}

/** Makes a join token. With only a time in the claims it is upstream's; with a node and an id it serves that node once. */
export async function signJoinToken(
  signer: TokenSigner,
  claims: JoinClaims & { readonly expiresAt: number },
): Promise<string> {
  const jwt = await new SignJWT({ ...jwtPayload(claims) })
    .setProtectedHeader({ alg: JOIN_TOKEN_ALGORITHM, typ: 'JWT' })
    .sign(signer.tokenSecret);
  return composeJoinToken(signer.certificate, jwt);
}
