import { createHash, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileError, OperatorError, systemCodeOf } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { BOOTSTRAPPERS } from '../auth/authorizer.ts';
import type { User } from '../objects/gatekeeper.ts';
import { stringAt } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import type { ObjectReader } from '../objects/object-service.ts';

/** Tokens that hold until their line is removed. Only their hashes are kept. */
export interface StaticTokens {
  find(token: string): User | undefined;
}

const TokenFile = z.strictObject({
  tokens: z.array(
    z.strictObject({
      /** Lower-case hexadecimal SHA-256 of the token. */
      sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
      user: z.string().check(z.minLength(1)),
      groups: z.array(z.string()),
    }),
  ),
});

/** Reads the file of hashed tokens. No file means no tokens. */
export function readStaticTokens(file: string): StaticTokens {
  const users = new Map(parse(file).tokens.map(({ sha256, user, groups }) => [sha256, { name: user, groups }]));
  return { find: (token) => users.get(hashToken(token)) };
}

/** What is kept of a token. Tokens are long and random, so a plain hash gives nothing away. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function parse(file: string): z.infer<typeof TokenFile> {
  const text = read(file);
  if (text === undefined) return { tokens: [] };
  try {
    return TokenFile.parse(JSON.parse(text));
  } catch (cause) {
    throw new OperatorError('ASSET_INVALID', `Cannot read the tokens in "${file}"`, {
      hint: 'Write it as {"tokens": [{"sha256": "…", "user": "…", "groups": []}]}, or remove it.',
      cause,
    });
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    if (systemCodeOf(cause) === 'ENOENT') return undefined;
    throw fileError(cause, `read "${file}"`);
  }
}

const SHAPE = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const SECRETS = { group: '', plural: 'secrets' };
const EXTRA_GROUP = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

/** Who a bootstrap token is for, by the secret `bootstrap-token-<id>` in `kube-system`; no one once that has expired. */
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
