import { randomUUID } from 'node:crypto';
import { readRevocation, REVOCATIONS_SECRET, writeRevocation, type Revocation } from '@fenestra/contracts';
import type { SecretData, SecretStore } from '../kubernetes-secrets.ts';

/** The revoked nodes of a cloud, kept in its Kubernetes API, so that all replicas share them and restarts keep them. */
export interface Revocations {
  all(signal: AbortSignal): Promise<ReadonlyMap<string, Revocation>>;
  find(node: string, signal: AbortSignal): Promise<Revocation | undefined>;
  /** Revokes every certificate and every token that the node has by now. */
  revoke(node: string, wish: RevocationWish, signal: AbortSignal): Promise<void>;
  /**
   * Accepts certificates with one more key. False if the node is not revoked by this revocation any more, so that no
   * such certificate may be issued.
   */
  accept(node: string, accepted: AcceptedKey, signal: AbortSignal): Promise<boolean>;
  /** Forgets the revocation, if there is one: the node's old certificates are accepted again. */
  lift(node: string, signal: AbortSignal): Promise<void>;
}

/** When and why a node is revoked. */
export interface RevocationWish {
  readonly now: Date;
  readonly reason?: string | undefined;
}

/** A key to accept, and the revocation that its token or earlier certificate was checked against. */
export interface AcceptedKey {
  readonly revocation: string;
  readonly keyHash: string;
  /** The key of the certificate that this one renews: it stays accepted, however often the renewal is tried. */
  readonly proved?: string | undefined;
}

// Every try of a renewal makes a key. Kept are those of the last tries, and the one that is in use in the meantime.
const KEPT_TRIES = 3;

/** Opens the list in the store. */
export function openRevocations(store: SecretStore): Revocations {
  const read = async (signal: AbortSignal): Promise<SecretData> => (await store.read(REVOCATIONS_SECRET, signal)) ?? {};
  return {
    async all(signal) {
      const data = await read(signal);
      return revocationsIn(data);
    },
    async find(node, signal) {
      return entryOf(await read(signal), node);
    },
    async revoke(node, { now, reason }, signal) {
      const revocation = { id: randomUUID(), revokedAt: now.toISOString(), reason, acceptedKeys: [] };
      await store.update(REVOCATIONS_SECRET, (data) => ({ ...data, [node]: writeRevocation(revocation) }), signal);
    },
    async accept(node, { revocation, keyHash, proved }, signal) {
      const change = (data: SecretData = {}): SecretData => {
        const entry = entryOf(data, node);
        if (entry?.id !== revocation || entry.acceptedKeys.includes(keyHash)) return data;
        if (proved !== undefined && !entry.acceptedKeys.includes(proved)) return data;
        const others = entry.acceptedKeys.filter((key) => key !== proved).slice(-KEPT_TRIES);
        const acceptedKeys = [...(proved === undefined ? [] : [proved]), ...others, keyHash];
        return { ...data, [node]: writeRevocation({ ...entry, acceptedKeys }) };
      };
      const after = await store.update(REVOCATIONS_SECRET, change, signal);
      return entryOf(after, node)?.acceptedKeys.includes(keyHash) === true;
    },
    async lift(node, signal) {
      if (entryOf(await read(signal), node) === undefined) return;
      await store.update(REVOCATIONS_SECRET, (data = {}) => without(data, node), signal);
    },
  };
}

/** The revocations in the secret's data, by node. */
export function revocationsIn(data: SecretData): ReadonlyMap<string, Revocation> {
  return new Map(Object.entries(data).map(([node, bytes]) => [node, readRevocation(bytes)]));
}

function entryOf(data: SecretData, node: string): Revocation | undefined {
  const entry = Object.hasOwn(data, node) ? data[node] : undefined;
  return entry === undefined ? undefined : readRevocation(entry);
}

function without(data: SecretData, node: string): SecretData {
  return Object.fromEntries(Object.entries(data).filter(([name]) => name !== node));
}
