import type { ResourceKind, Verb } from '../objects/resource-kind.ts';
import { AGE, NAME } from '../printing/columns.ts';

/** Everything that may be done to an ordinary object. */
export const ALL_VERBS: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

type Named = Pick<ResourceKind, 'group' | 'kind' | 'namespaced' | 'plural' | 'version'>;

/** A built-in kind: what is not said is as it is with most of them. */
export function defineKind(kind: Named & Partial<ResourceKind>): ResourceKind {
  return {
    singular: kind.kind.toLowerCase(),
    shortNames: [],
    verbs: ALL_VERBS,
    hasStatus: false,
    hasGeneration: false,
    subresources: [],
    columns: [NAME, AGE],
    selectableFields: [],
    strategicMerge: true,
    ...kind,
  };
}
