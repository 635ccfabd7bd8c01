import { fieldOf } from './pod-references.ts';

/**
 * Why a node may not write an event or a lease with this metadata; undefined if it may. With a finalizer a node could keep
 * others from deleting the object and its namespace, and with an owner it could delay the deletion of that owner.
 */
export function reportProblem(
  { metadata }: { readonly metadata?: object | undefined },
  node: string,
): string | undefined {
  const finalizers: unknown = fieldOf(metadata, 'finalizers') ?? [];
  if (!isEmpty(finalizers)) return `node "${node}" can not report objects with finalizers`;
  const owners: unknown = fieldOf(metadata, 'ownerReferences') ?? [];
  const areOwn = Array.isArray(owners) && owners.every((owner: unknown) => isOwnNode(owner, node));
  return areOwn ? undefined : `node "${node}" can only report objects whose owner is the node itself`;
}

/** Whether an owner reference is to this node, and does not delay its deletion. */
export function isOwnNode(owner: unknown, node: string): boolean {
  return (
    fieldOf(owner, 'apiVersion') === 'v1' &&
    fieldOf(owner, 'kind') === 'Node' &&
    fieldOf(owner, 'name') === node &&
    fieldOf(owner, 'blockOwnerDeletion') !== true
  );
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
