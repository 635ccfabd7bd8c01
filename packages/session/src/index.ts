export {
  type AbandonedRun,
  actOnNode,
  type CarriedOut,
  changeNode,
  type NodeChange,
  overrideNode,
  type PlannedChange,
  recoverOnly,
} from './change-node.ts';
export {
  asWarning,
  type Check,
  fail,
  failedBy,
  type Finding,
  type NamedCheck,
  type NamedFinding,
  pass,
  runChecks,
  skip,
  type Verdict,
  warn,
} from './checks/check.ts';
export { requireCheckNames, requirePassed } from './checks/waiver.ts';
export { guardProgram, GUARD_SERVICE, guardService } from './guard/guard-program.ts';
export { SPACE_RESERVE_BYTES, spaceReserveOf, writeSpaceReserve } from './guard/space-reserve.ts';
export { type HeardRun, heardSession, type NodeSession } from './node-session.ts';
export {
  type CloudNode,
  type CloudPod,
  type NodeCloud,
  type OpenNodeCloud,
  withNodeCloud,
} from './ports/node-cloud.ts';
export type { Secrets, StepPorts } from './ports/step-ports.ts';
export {
  withWorkerCluster,
  type ClusterAccess,
  type ClusterNode,
  type OpenWorkerCluster,
  type RequestedCertificate,
  type WorkerCluster,
} from './ports/worker-cluster.ts';
export type { ScriptFacts } from './scripts/script-failure.ts';
export { changeWithScripts, type ScriptedChange, type ScriptedWork, withScripts } from './scripts/with-scripts.ts';
export {
  requireInTheWay,
  type SetAside,
  setJournalAside,
  type UnwantedJournal,
  nodeJournals,
  underLock,
} from './node-journals.ts';
