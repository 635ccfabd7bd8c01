import { newMessage, objectResource, OPERATIONS, GROUPS, RESOURCE_TYPES, SOURCES, toJson } from '@fenestra/contracts';
import { numberAt } from '@fenestra/contracts/objects';
import { parseJson, stringAt } from '@fenestra/kernel';
import {
  neededTokens,
  type Pod,
  podKey,
  tokenKey,
  type TokenNeed,
  tokenRenewalTime,
  tokenRequestSpec,
} from '@fenestra/pods';
import type { Logger } from '@fenestra/platform';
import * as z from 'zod/mini';
import { isFinal } from '../meta/cloud-answer.ts';
import type { NodeMemory } from '../meta/node-memory.ts';
import { failureFields } from '../modules/describe-failure.ts';

const StoredToken = z.object({ token: z.string(), issuedAt: z.number(), expiresAt: z.number() });
type StoredToken = z.infer<typeof StoredToken>;

/** What keeping tokens takes. */
export interface PodTokensOptions {
  readonly memory: Pick<NodeMemory, 'podRecords' | 'request'>;
  readonly log: Logger;
  readonly now: () => number;
}

/** The tokens of service accounts that pods of this node show in their volumes. */
export interface PodTokens {
  /** The tokens of a pod by `tokenKey`, renewed if it is time to. One that cannot be had is absent. */
  current(pod: Pod, signal: AbortSignal): Promise<ReadonlyMap<string, string>>;
  /** When to ask for the tokens of a pod again, in milliseconds since 1970; `undefined` if it has none. */
  renewalTime(pod: Pod): number | undefined;
}

/** A container must not wait long for a cloud that says nothing, if there is a token that still works. */
const ANSWER_TIMEOUT_MS = 10_000;
const RETRY_MS = 60_000;
const REQUEST_TYPE = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest' };

/**
 * Keeps tokens in the database of the node, so that a pod starts without the cloud, even with a token that has expired
 * during that. A token is never written anywhere else but into the volumes.
 */
export function podTokens(options: PodTokensOptions): PodTokens {
  return new TokenKeeper(options);
}

/** What the cloud said to a request, if it cannot be changed by asking again. */
class Refusal extends Error {
  override readonly name = 'Refusal';
}

class TokenKeeper implements PodTokens {
  readonly #options: PodTokensOptions;
  /** The tokens that the log says are not renewed. */
  readonly #reported = new Set<string>();

  constructor(options: PodTokensOptions) {
    this.#options = options;
  }

  async current(pod: Pod, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const need of neededTokens(pod)) {
      const token = await this.#tokenFor(pod, need, signal);
      if (token !== undefined) found.set(tokenKey(need), token);
    }
    return found;
  }

  renewalTime(pod: Pod): number | undefined {
    const needs = neededTokens(pod);
    if (needs.length === 0) return undefined;
    const retryAt = this.#options.now() + RETRY_MS;
    const times = needs.map((need) => {
      const stored = this.#stored(pod, need);
      return stored === undefined || this.#isDue(stored)
        ? retryAt
        : tokenRenewalTime(stored.issuedAt, stored.expiresAt);
    });
    return Math.min(...times);
  }

  async #tokenFor(pod: Pod, need: TokenNeed, signal: AbortSignal): Promise<string | undefined> {
    const stored = this.#stored(pod, need);
    if (stored !== undefined && !this.#isDue(stored)) return stored.token;
    try {
      const { token } = await this.#request(pod, need, signal);
      this.#reported.delete(reportKey(pod, need));
      return token;
    } catch (cause) {
      signal.throwIfAborted();
      const hasExpired = stored !== undefined && stored.expiresAt <= this.#options.now();
      this.#report(pod, need, hasExpired, cause);
      return hasExpired && cause instanceof Refusal ? undefined : stored?.token;
    }
  }

  async #request(pod: Pod, need: TokenNeed, signal: AbortSignal): Promise<StoredToken> {
    const { memory, now } = this.#options;
    const { namespace, uid } = pod.metadata;
    const message = newMessage({
      source: SOURCES.edged,
      group: GROUPS.meta,
      operation: OPERATIONS.query,
      resource: objectResource(namespace, RESOURCE_TYPES.serviceAccountToken, accountOf(pod)),
      content: toJson({ ...REQUEST_TYPE, spec: tokenRequestSpec(pod, need) }),
    });
    const issuedAt = now();
    const answer = await memory.request(message, ANSWER_TIMEOUT_MS, signal);
    if (answer.outcome === 'failure') {
      const reason = answer.status.message ?? 'the cloud gave no reason';
      throw isFinal(answer.status) ? new Refusal(reason) : new Error(reason);
    }
    const object = answer.outcome === 'object' ? answer.object : undefined;
    const token = stringAt(object, 'status', 'token');
    if (token === '') throw new Error("the cloud's answer holds no token");
    // By how long it lasts, since the clocks of cloud and node may differ.
    const seconds = numberAt(object, 'spec', 'expirationSeconds') || need.expirationSeconds;
    const fresh = { token, issuedAt, expiresAt: issuedAt + seconds * 1000 };
    memory.podRecords.putPodToken({ uid, name: tokenKey(need), value: JSON.stringify(fresh) });
    return fresh;
  }

  #stored({ metadata }: Pod, need: TokenNeed): StoredToken | undefined {
    const row = this.#options.memory.podRecords.getPodToken(metadata.uid, tokenKey(need));
    return StoredToken.safeParse(parseJson(row?.value ?? '')).data;
  }

  /** A clock that was set back says nothing about how old a token is. */
  #isDue({ issuedAt, expiresAt }: StoredToken): boolean {
    const now = this.#options.now();
    return now < issuedAt || now >= tokenRenewalTime(issuedAt, expiresAt);
  }

  #report(pod: Pod, need: TokenNeed, hasExpired: boolean, cause: unknown): void {
    const key = reportKey(pod, need);
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    const what = hasExpired
      ? 'A service account token of a pod has expired and cannot be renewed; trying again'
      : 'Cannot get a service account token for a pod; trying again';
    const { audience } = need;
    const account = accountOf(pod);
    this.#options.log.warn(what, { pod: podKey(pod), account, audience, ...failureFields(cause) });
  }
}

function accountOf({ spec }: Pod): string {
  return spec.serviceAccountName || 'default';
}

function reportKey({ metadata }: Pod, need: TokenNeed): string {
  return `${metadata.uid} ${tokenKey(need)}`;
}
