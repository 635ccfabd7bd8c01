export {
  ERROR_CODES,
  fileError,
  OperatorError,
  systemCodeOf,
  type ErrorCode,
  type ErrorDetails,
  type OperatorErrorOptions,
} from './errors.ts';
export { failpoint } from './executor/failpoint.ts';
export { executePlan } from './executor/recover.ts';
export { type ExecutionEvent } from './executor/drive.ts';
export { recover, type OnStuck, type Recovered } from './executor/recover.ts';
export { isStuck } from './executor/recover.ts';
export {
  canonicalJson,
  definedKeys,
  isJsonArray,
  isJsonObject,
  listAt,
  objectAt,
  sameJson,
  stringAt,
  valueAt,
  type Json,
  type JsonObject,
} from './json.ts';
export { decodeFrames } from './journal/frame.ts';
export { openFrameFile } from './journal/frame.ts';

export { journalFolder, type JournalFolder } from './journal/journal-folder.ts';
export { setAsidePath } from './journal/journal-folder.ts';
export { canTurnBack, type PlanProgress } from './journal/progress.ts';
export { parseJson } from './journal/record.ts';
export { inspectJournal, readJournal, type JournalContent } from './journal/read-journal.ts';
export { type JournalRecord, type ProcessIdentity } from './journal/record.ts';
export { type LockOwner } from './lock/node-lock.ts';
export { acquireNodeLock, nodeLockOwner, type NodeLock } from './lock/node-lock.ts';
export { handlerOf, stepDefiner, type StepContext, type StepHandler, type StepKind } from './plan/step-handler.ts';
export {
  placeSteps,
  planWorkflow,
  pointOfNoReturn,
  type Phase,
  type PlacedStep,
  type Plan,
  type Step,
} from './plan/step.ts';
