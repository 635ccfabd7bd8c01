export { numberAt, objectsAt, stringsAt, withDefaults, withEach, withObject } from './json-fields.ts';
export { applyJsonPatch } from './json-patch.ts';
export { applyMergePatch } from './json-patch.ts';
export { PatchError, workBudget, type WorkBudget } from './working-copy.ts';
export { madeByNode, nodeOfSandbox, selectsNode, tolerates } from './pods/placement.ts';
export { podDefaults, podSpecDefaults } from './pods/pod-defaults.ts';
export { qualityOfService } from './pods/quality-of-service.ts';
export { formatCpu, formatKibibytes, parseQuantity, parseThreshold } from './quantity.ts';
export {
  matchesFields,
  parseFieldSelector,
  parseLabelSelector,
  requiredValue,
  type FieldTerm,
  type Selects,
} from './selectors.ts';
export { MAX_DEPTH } from './working-copy.ts';
