import { createHash, timingSafeEqual } from 'node:crypto';
import type { User } from '../objects/gatekeeper.ts';
import { stringAt } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import type { ObjectReader } from '../objects/object-service.ts';
import { BOOTSTRAPPERS } from '../auth/users.ts';

const SHAPE = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const SECRETS = { group: '', plural: 'secrets' };
const EXTRA_GROUP = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

/** Who a bootstrap token is for, by the secret `bootstrap-token-<id>` in `kube-system`; nobody once that has expired. */
export function bootstrapTokenUser(token: string, objects: ObjectReader, now: Date): User | undefined {
  const [, id = '', secretPart = ''] = SHAPE.exec(token) ?? [];
  if (id === '') return undefined;
  const secret = objects.get(SECRETS, { namespace: 'kube-system', name: `bootstrap-token-${id}` });
  if (secret === undefined || !isGood(secret, now) || !sameText(value(secret, 'token-secret'), secretPart))
    return undefined;
  const extra = value(secret, 'auth-extra-groups')
    .split(',')
    .filter((group) => EXTRA_GROUP.test(group));
  return { name: `system:bootstrap:${id}`, groups: [BOOTSTRAPPERS, ...extra] };
}

function isGood(secret: KubeObject, now: Date): boolean {
  if (stringAt(secret, 'type') !== 'bootstrap.kubernetes.io/token') return false;
  if (secret.metadata.deletionTimestamp !== undefined) return false;
  if (value(secret, 'usage-bootstrap-authentication') !== 'true') return false;
  const expiration = value(secret, 'expiration');
  // A time that cannot be read counts as past.
  return expiration === '' || Date.parse(expiration) > now.getTime();
}

function value(secret: KubeObject, key: string): string {
  return Buffer.from(stringAt(secret, 'data', key), 'base64').toString('utf8');
}

function sameText(left: string, right: string): boolean {
  return left !== '' && timingSafeEqual(digest(left), digest(right));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
