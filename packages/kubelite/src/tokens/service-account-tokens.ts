import { createPrivateKey, createPublicKey, randomUUID } from 'node:crypto';
import { jwtVerify, SignJWT, type JWTPayload } from 'jose';
import * as z from 'zod/mini';
import type { User } from '../objects/gatekeeper.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import type { ObjectReader } from '../objects/object-service.ts';

/** Who issues the tokens, and whom they are for unless asked otherwise. */
export const ISSUER = 'https://kubernetes.default.svc.cluster.local';

/** What a token is asked for. */
export interface TokenSubject {
  readonly serviceAccount: KubeObject;
  readonly audiences: readonly string[];
  readonly expiresAt: Date;
  /** The object the token dies with. */
  readonly boundTo?: { readonly kind: 'Node' | 'Pod' | 'Secret'; readonly name: string; readonly uid: string };
}

/** Signs and checks the tokens of service accounts. */
export interface ServiceAccountTokens {
  sign(subject: TokenSubject, now: Date): Promise<string>;
  /** Whom a token is for. No one, if it is not ours, out of its time, for others, or its account or pod is gone. */
  verify(token: string, audiences: readonly string[], objects: ObjectReader, now: Date): Promise<User | undefined>;
}

const Reference = z.object({ name: z.string(), uid: z.string() });
const Claims = z.object({
  sub: z.string(),
  jti: z.optional(z.string()),
  'kubernetes.io': z.object({
    namespace: z.string(),
    serviceaccount: Reference,
    pod: z.optional(Reference),
    secret: z.optional(Reference),
    node: z.optional(Reference),
  }),
});
type Claims = z.infer<typeof Claims>;

const BOUND = { pod: 'pods', secret: 'secrets', node: 'nodes' } as const;

/** Tokens signed with an EC P-256 key, given as PKCS #8 PEM. */
export function serviceAccountTokens(privateKeyPem: string): ServiceAccountTokens {
  const privateKey = createPrivateKey(privateKeyPem);
  const publicKey = createPublicKey(privateKey);
  return {
    async sign(subject, now) {
      const { name, namespace = '' } = subject.serviceAccount.metadata;
      return new SignJWT(claimsOf(subject))
        .setProtectedHeader({ alg: 'ES256' })
        .setIssuer(ISSUER)
        .setSubject(`system:serviceaccount:${namespace}:${name}`)
        .setAudience([...subject.audiences])
        .setIssuedAt(now)
        .setNotBefore(now)
        .setExpirationTime(subject.expiresAt)
        .setJti(randomUUID())
        .sign(privateKey);
    },
    async verify(token, audiences, objects, now) {
      const options = { issuer: ISSUER, audience: [...audiences], algorithms: ['ES256'], currentDate: now };
      const verified = await jwtVerify(token, publicKey, options).catch(() => undefined);
      const claims = Claims.safeParse(verified?.payload);
      return claims.success && stillThere(claims.data, objects) ? userOf(claims.data) : undefined;
    },
  };
}

function claimsOf({ serviceAccount, boundTo }: TokenSubject): JWTPayload {
  const { name, namespace = '', uid } = serviceAccount.metadata;
  const bound = boundTo && { [boundTo.kind.toLowerCase()]: { name: boundTo.name, uid: boundTo.uid } };
  return { 'kubernetes.io': { namespace, serviceaccount: { name, uid }, ...bound } };
}

function stillThere({ 'kubernetes.io': claims }: Claims, objects: ObjectReader): boolean {
  const { namespace, serviceaccount } = claims;
  const present = (plural: string, wanted: z.infer<typeof Reference>, where: string): boolean =>
    objects.get({ group: '', plural }, { namespace: where, name: wanted.name })?.metadata.uid === wanted.uid;
  if (!present('serviceaccounts', serviceaccount, namespace)) return false;
  return (['pod', 'secret', 'node'] as const).every((kind) => {
    const bound = claims[kind];
    return bound === undefined || present(BOUND[kind], bound, kind === 'node' ? '' : namespace);
  });
}

function userOf({ sub, jti, 'kubernetes.io': { namespace, serviceaccount, pod } }: Claims): User {
  return {
    name: sub,
    uid: serviceaccount.uid,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
    extra: {
      ...(jti !== undefined && { 'authentication.kubernetes.io/credential-id': [`JTI=${jti}`] }),
      ...(pod && {
        'authentication.kubernetes.io/pod-name': [pod.name],
        'authentication.kubernetes.io/pod-uid': [pod.uid],
      }),
    },
  };
}
