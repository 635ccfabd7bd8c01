import { CLOUD_NAMESPACE, REVOCATIONS_SECRET, revokesKey, type Revocation } from '@fenestra/contracts';
import { KINDS, type KubeApi } from '@fenestra/kube-api';
import { revocationsIn, secretDataOf } from '@fenestra/lifecycle/cloud';
import type { Logger } from '@fenestra/platform';

/** The revoked nodes, as of the last change that was seen. */
export interface RevokedNodes {
  /** Whether a node's certificates with this public key are revoked. */
  isRevoked(node: string, keyHash: string): boolean;
  /** Calls back after every change, so that connections can be ended. */
  onChange(callback: () => void): void;
  /** Resolves once the list was read. Nothing may be served before: until then nobody counts as revoked. */
  whenRead(): Promise<void>;
}

/** Follows the list that all replicas share. While the Kubernetes API is unreachable, the list last seen stays in effect. */
export function followRevokedNodes(api: KubeApi, log: Logger, signal: AbortSignal): RevokedNodes {
  const callbacks: (() => void)[] = [];
  let revoked: ReadonlyMap<string, Revocation> = new Map();
  const informer = api.informer(
    KINDS.secret,
    {
      selection: { namespace: CLOUD_NAMESPACE, fieldSelector: `metadata.name=${REVOCATIONS_SECRET}` },
      keep: (secret) => revocationsIn(secretDataOf(secret)),
      onEvent({ type, kept }) {
        revoked = type === 'deleted' ? new Map() : kept;
        for (const callback of callbacks) callback();
      },
      onTrouble: (error, retryMs) =>
        log.warn('Cannot follow the list of revoked nodes', { error: String(error), retryMs }),
    },
    signal,
  );
  return {
    isRevoked: (node, keyHash) => revokesKey(revoked.get(node), keyHash),
    onChange: (callback) => void callbacks.push(callback),
    whenRead: async () => informer.whenSynced(),
  };
}
