import { listAt, numberAt, stringAt, valueAt } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import type { ResourceKind } from '../objects/resource-kind.ts';
import { AGE, column, NAME, numberColumn } from '../printing/columns.ts';
import type { ServiceAccountTokens } from '../tokens/service-account-tokens.ts';
import { tokenSubresource } from '../tokens/token-request.ts';
import { defineKind } from './define-kind.ts';
import { invalidField } from './problems.ts';

/** Keeps a namespace until everything in it is gone. */
export const NAMESPACE_FINALIZER = 'kubernetes';

// The API cannot work without them.
const PROTECTED: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

/** Namespaces. One that is deleted stays, terminating, until its content is gone. */
export const namespaceKind = defineKind({
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  shortNames: ['ns'],
  namespaced: false,
  hasStatus: true,
  columns: [NAME, column('Status', 'Whether the namespace is in use or going away', phaseOf), AGE],
  selectableFields: ['status.phase'],
  prepareForCreate: (namespace) => ({ ...finalized(namespace), status: { phase: 'Active' } }),
  prepareForUpdate: (namespace) =>
    namespace.metadata.deletionTimestamp === undefined ? finalized(namespace) : namespace,
  prepareForDelete: (namespace) => ({ ...namespace, status: { phase: 'Terminating' } }),
  refuseDelete: ({ metadata }) => (PROTECTED.has(metadata.name) ? 'this namespace may not be deleted' : undefined),
});

function phaseOf(namespace: KubeObject): string {
  return stringAt(namespace, 'status', 'phase');
}

function finalized(namespace: KubeObject): KubeObject {
  const { metadata } = namespace;
  const finalizers = [...new Set([...(metadata.finalizers ?? []), NAMESPACE_FINALIZER])];
  const labels = { ...metadata.labels, 'kubernetes.io/metadata.name': metadata.name };
  return { ...namespace, metadata: { ...metadata, labels, finalizers } };
}

/** Identities for pods. Tokens are made on demand and never stored. */
export function serviceAccountKind(tokens: ServiceAccountTokens): ResourceKind {
  return defineKind({
    group: '',
    version: 'v1',
    kind: 'ServiceAccount',
    plural: 'serviceaccounts',
    shortNames: ['sa'],
    namespaced: true,
    subresources: [tokenSubresource(tokens)],
    columns: [NAME, numberColumn('Secrets', 'Number of secrets', (account) => listAt(account, 'secrets').length), AGE],
  });
}

/** Leases: a node's heartbeat, or who leads among several. */
export const leaseKind = defineKind({
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
  columns: [NAME, column('Holder', 'Who holds it', (lease) => stringAt(lease, 'spec', 'holderIdentity')), AGE],
  validate(lease) {
    const seconds = numberAt(lease, 'spec', 'leaseDurationSeconds');
    const given = valueAt(lease, 'spec', 'leaseDurationSeconds') !== undefined;
    return given && seconds <= 0 ? [invalidField('spec.leaseDurationSeconds', seconds, 'must be greater than 0')] : [];
  },
});
