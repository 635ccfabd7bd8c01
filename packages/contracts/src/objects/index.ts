export { applyJsonPatch } from './json-patch.ts';
export { applyMergePatch } from './merge-patch.ts';
export { PatchError, workBudget, type WorkBudget } from './patch-error.ts';
export {
  matchesFields,
  parseFieldSelector,
  parseLabelSelector,
  requiredValue,
  type FieldTerm,
  type Selects,
} from './selectors.ts';
export { MAX_DEPTH } from './working-copy.ts';
