import { createHmac, randomBytes } from 'node:crypto';
import { CLOUD_NAMESPACE, CLOUD_SECRETS, composeJoinToken, jwtPayload } from '@fenestra/contracts';
import { KINDS, stringAt, type KubeApi } from '@fenestra/kube-api';
import { unlimited } from './patience.ts';

/** Join tokens of the right shape that a cloud must not take. */
export interface BadTokens {
  readonly expired: string;
  /** Signed by someone else, for the right CA. */
  readonly foreign: string;
  /** Of a cloud with another CA. */
  readonly otherCa: string;
}

const HOUR_MS = 60 * 60 * 1000;

/** Makes them with the CA of this very cloud, so that each is wrong in one thing alone. */
export async function makeBadTokens(api: KubeApi): Promise<BadTokens> {
  const { name, certificate, key } = CLOUD_SECRETS.ca;
  const stored = await api.get(KINDS.secret, { namespace: CLOUD_NAMESPACE, name }, unlimited());
  const [ca, own] = [certificate, key].map((field) => Buffer.from(stringAt(stored, 'data', field), 'base64'));
  if (ca === undefined || own === undefined) throw new Error('The cloud has no CA');
  return {
    expired: composeJoinToken(ca, sign(own, Date.now() - HOUR_MS)),
    foreign: composeJoinToken(ca, sign(randomBytes(32), Date.now() + HOUR_MS)),
    otherCa: composeJoinToken(randomBytes(64), sign(own, Date.now() + HOUR_MS)),
  };
}

function sign(secret: Buffer, expiresAt: number): string {
  const text = [{ alg: 'HS256', typ: 'JWT' }, jwtPayload({ expiresAt })]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}
