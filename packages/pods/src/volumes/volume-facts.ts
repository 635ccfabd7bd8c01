import type { EnvironmentFacts } from '../environment/container-environment.ts';
import type { Pod } from '../pod/pod.ts';

/** What the volumes of a pod depend on besides the pod. */
export interface VolumeFacts extends Omit<EnvironmentFacts, 'services'> {
  /** The tokens of the pod, by `tokenKey`. */
  readonly tokens: ReadonlyMap<string, string>;
  /** What the claims of the pod are bound to, by name of the claim. */
  readonly claims: ReadonlyMap<string, BoundVolume>;
}

/** A persistent volume, as far as a node can use it without a driver. */
export interface BoundVolume {
  readonly name: string;
  readonly hostPath?: { readonly path: string; readonly type?: string };
  readonly local?: { readonly path: string };
}

/** A token that a pod needs. */
export interface TokenNeed {
  readonly audience: string;
  readonly expirationSeconds: number;
}

/** By what the tokens of a pod are distinguished. */
export function tokenKey({ audience, expirationSeconds }: TokenNeed): string {
  return JSON.stringify([audience, expirationSeconds]);
}

/** The tokens that the volumes of a pod need, each once. */
export function neededTokens({ spec }: Pod): readonly TokenNeed[] {
  const sources = (spec.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
  const needs = sources.flatMap(({ serviceAccountToken }) => {
    if (serviceAccountToken === undefined) return [];
    const { audience = '', expirationSeconds } = serviceAccountToken;
    return [{ audience, expirationSeconds }];
  });
  return [...new Map(needs.map((need) => [tokenKey(need), need])).values()];
}

const RENEWED_AFTER = 0.8;
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** When a token is to be renewed: long before it expires, and at least once a day. */
export function tokenRenewalTime(issuedAt: number, expiresAt: number): number {
  return issuedAt + Math.min((expiresAt - issuedAt) * RENEWED_AFTER, MAX_AGE_MS);
}

/** The specification of the request for a token that is worth nothing once the pod is gone. */
export function tokenRequestSpec({ metadata }: Pod, { audience, expirationSeconds }: TokenNeed): TokenRequestSpec {
  return {
    audiences: audience === '' ? [] : [audience],
    expirationSeconds,
    boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: metadata.name, uid: metadata.uid },
  };
}

/** The specification of a `TokenRequest`. */
export interface TokenRequestSpec {
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  readonly boundObjectRef: {
    readonly apiVersion: 'v1';
    readonly kind: 'Pod';
    readonly name: string;
    readonly uid: string;
  };
}
