export { EXAMPLE_BATCH_FILE } from './inventory/example-file.ts';
export {
  importedText,
  importInventory,
  INVENTORY_FORMATS,
  type InventoryFormat,
} from './inventory/imports/import-inventory.ts';
export { type ImportedInventory } from './inventory/imports/imported.ts';
export { loadBatch, parseBatch, type BatchText } from './inventory/load-batch.ts';
export { remoteWorker } from './delivery/remote-worker.ts';
export { type Program, type RemoteWorker, type RemoteWorkerOptions } from './delivery/worker-options.ts';
export { redact, secretsOf } from './far-end/redact.ts';
export { type Batch, type BatchEnvironment, type ProgramArch, type ProgramSource } from './inventory/batch.ts';
export { type Become, type BatchNode, type NodeLimits, type Retries } from './inventory/batch.ts';
export { type NodeSurvey, type NodeWorker, type WorkContext } from './run/node-worker.ts';
export { type Budgets, type HaltRule, type RunPolicy, type Wave } from './run/policy.ts';
export { systemClock, type RunClock } from './run/run.ts';
export { obeyControl, runOwner, sendControl, type ControlWord } from './run/control.ts';
export { findRun, listRuns, newRunId, readRun, type StoredRun } from './run/list-runs.ts';
export { nodeLogPath } from './run/run-folder.ts';
export { canGoOn, nodesToRetry } from './run/conduct.ts';
export { planRun, type PlanOptions } from './run/start-run.ts';
export { type PlannedWave, type RunRecord } from './run/record.ts';
export {
  type NodeResult,
  type PlannedNode,
  type Run,
  type RunOptions,
  type RunPlan,
  type RunRecords,
  type RunResult,
} from './run/run.ts';
export { createRunFolder, reopenRunFolder, type RunFolder, type RunKeeping } from './run/run-folder.ts';
export { type Halt, type NodeStanding, type RunOutcome, type RunState } from './run/run-state.ts';
export { startRun } from './run/start-run.ts';
export { commandText } from './report/texts.ts';
export { describedAccount } from './report/run-account.ts';
export { htmlReport } from './report/html-report.ts';
export { junitReport } from './report/junit-report.ts';
export { type NodeAccount } from './report/node-account.ts';
export { nextStep } from './report/summary-text.ts';
export { versionsText } from './report/node-versions.ts';
export { countStates, isSettled, standingOf } from './report/node-states.ts';
export { reportData } from './report/report.ts';
export { accountOf, growingAccount, type GrowingAccount, type RunAccount } from './report/run-account.ts';
export { spanText } from './report/texts.ts';
export { countsLine, summaryText } from './report/summary-text.ts';
export { BatchEvent, BatchNodeState } from './report/events.ts';
export { BatchReport } from './report/report.ts';
