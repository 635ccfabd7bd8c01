import { CLOUD_NAMESPACE, REVOCATIONS_SECRET, revokesKey, type Revocation } from '@fenestra/contracts';
import { KINDS, type KubeApi, type KubeObject } from '@fenestra/kube-api';
import {
  isReplaced,
  NODE_KEYS_PREFIX,
  nodeKeysSecret,
  revocationsIn,
  secretDataOf,
  type SecretData,
} from '@fenestra/lifecycle/cloud';
import type { Logger } from '@fenestra/platform';

/** The certificates that are no longer accepted, as of the last change that was seen. */
export interface RevokedNodes {
  /** Whether a node's certificates with this public key are revoked, or replaced by a join with a token for its name. */
  isRevoked(node: string, keyHash: string): boolean;
  /** Calls back after every change, so that connections can be ended. */
  onChange(callback: () => void): void;
  /** Resolves once the lists were read. Nothing may be served before: until then every certificate is accepted. */
  whenRead(): Promise<void>;
}

interface Lists {
  readonly revocations?: ReadonlyMap<string, Revocation>;
  readonly keys?: SecretData;
}

/** Follows the lists that all replicas share. While the Kubernetes API is unreachable, those last seen stay in effect. */
export function followRevokedNodes(api: KubeApi, log: Logger, signal: AbortSignal): RevokedNodes {
  const callbacks: (() => void)[] = [];
  const informer = api.informer(
    KINDS.secret,
    {
      selection: { namespace: CLOUD_NAMESPACE },
      keep: listsIn,
      onEvent({ kept }) {
        if (kept !== undefined) for (const callback of callbacks) callback();
      },
      onTrouble: (error, retryMs) =>
        log.warn('Cannot follow the list of revoked nodes', { error: String(error), retryMs }),
    },
    signal,
  );
  const find = (secret: string): Lists | undefined => informer.get(CLOUD_NAMESPACE, secret);
  return {
    isRevoked: (node, keyHash) =>
      revokesKey(find(REVOCATIONS_SECRET)?.revocations?.get(node), keyHash) ||
      isReplaced(find(nodeKeysSecret(node))?.keys, node, keyHash),
    onChange: (callback) => void callbacks.push(callback),
    whenRead: async () => informer.whenSynced(),
  };
}

function listsIn(secret: KubeObject): Lists | undefined {
  const { name } = secret.metadata;
  if (name === REVOCATIONS_SECRET) return { revocations: revocationsIn(secretDataOf(secret)) };
  return name.startsWith(NODE_KEYS_PREFIX) ? { keys: secretDataOf(secret) } : undefined;
}
