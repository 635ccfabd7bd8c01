import { createHash } from 'node:crypto';
import type { SecretData, SecretStore } from '../kubernetes-secrets.ts';

/**
 * The public keys of a node that has joined by a token for its name: certificates with any other key are no longer
 * accepted. A node without an entry may use every certificate that was issued for its name.
 */
export interface NodeKeys {
  /** Undefined for a node without an entry. */
  find(node: string, signal: AbortSignal): Promise<readonly string[] | undefined>;
  /** Accepts this key alone from now on. */
  replace(node: string, keyHash: string, signal: AbortSignal): Promise<void>;
  /** Accepts one more key of a node with an entry. False if the key that proved the node is no longer accepted. */
  add(node: string, added: AddedKey, signal: AbortSignal): Promise<boolean>;
  /** Removes the entry, if there is one: every certificate that was issued for the name is accepted again. */
  forget(node: string, signal: AbortSignal): Promise<void>;
}

/** A key to accept, and the key of the certificate that it renews, which stays accepted until the new one is used. */
export interface AddedKey {
  readonly keyHash: string;
  readonly proved?: string | undefined;
}

/** What the names of the secrets with the entries begin with. */
export const NODE_KEYS_PREFIX = 'nodekeys-';
// Every try of a renewal makes a key. The last ones are kept, so that an answer that was lost does no harm.
const KEPT_TRIES = 3;
const HASH_BYTES = 32;

/** Opens the entries in the store. A secret holds 1 MiB, so the nodes are spread over sixteen of them. */
export function openNodeKeys(store: SecretStore): NodeKeys {
  return {
    find: async (node, signal) => keysIn(await store.read(nodeKeysSecret(node), signal), node),
    async replace(node, keyHash, signal) {
      await store.update(nodeKeysSecret(node), (data) => ({ ...data, [node]: bytesOf([keyHash]) }), signal);
    },
    async add(node, { keyHash, proved }, signal) {
      const change = (data: SecretData = {}): SecretData => {
        const keys = keysIn(data, node);
        if (keys === undefined || keys.includes(keyHash)) return data;
        if (proved !== undefined && !keys.includes(proved)) return data;
        return { ...data, [node]: bytesOf([...keptKeys(keys, proved), keyHash]) };
      };
      if (keysIn(await store.read(nodeKeysSecret(node), signal), node) === undefined) return true;
      return !isReplaced(await store.update(nodeKeysSecret(node), change, signal), node, keyHash);
    },
    async forget(node, signal) {
      if (keysIn(await store.read(nodeKeysSecret(node), signal), node) === undefined) return;
      const without = (data: SecretData = {}): SecretData =>
        Object.fromEntries(Object.entries(data).filter(([name]) => name !== node));
      await store.update(nodeKeysSecret(node), without, signal);
    },
  };
}

/** The key in use and those of the last tries. Keys before the one in use are not needed any more. */
function keptKeys(keys: readonly string[], proved: string | undefined): readonly string[] {
  const inUse = proved === undefined ? 0 : keys.indexOf(proved);
  return [...keys.slice(inUse, inUse + 1), ...keys.slice(inUse + 1).slice(-KEPT_TRIES)];
}

/** The name of the secret with the entry of a node. */
export function nodeKeysSecret(node: string): string {
  return `${NODE_KEYS_PREFIX}${createHash('sha256').update(node).digest('hex').slice(0, 1)}`;
}

/** Whether certificates of the node with this key have been replaced, by the data of its secret. */
export function isReplaced(data: SecretData | undefined, node: string, keyHash: string): boolean {
  return keysIn(data, node)?.includes(keyHash) === false;
}

/** An entry that is damaged accepts no key. */
function keysIn(data: SecretData = {}, node: string): readonly string[] | undefined {
  const entry = Object.hasOwn(data, node) ? data[node] : undefined;
  if (entry === undefined) return undefined;
  const count = Math.floor(entry.length / HASH_BYTES);
  return Array.from({ length: count }, (_, index) =>
    Buffer.from(entry.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES)).toString('hex'),
  );
}

function bytesOf(keyHashes: readonly string[]): Buffer {
  return Buffer.from(keyHashes.join(''), 'hex');
}
