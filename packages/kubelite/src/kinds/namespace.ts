import { stringAt } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import { AGE, column, NAME } from '../printing/columns.ts';
import { defineKind } from './define-kind.ts';

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
