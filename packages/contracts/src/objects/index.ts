export { applyJsonPatch } from './json-patch.ts';
export { applyMergePatch } from './json-patch.ts';
export { PatchError, workBudget, type WorkBudget } from './working-copy.ts';
export {
  matchesFields,
  parseFieldSelector,
  parseLabelSelector,
  requiredValue,
  type FieldTerm,
  type Selects,
} from './selectors.ts';
export { MAX_DEPTH } from './working-copy.ts';
