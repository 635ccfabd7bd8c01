export { gatherNodeFacts, requireJoined, type JoinedNodeFacts, type NodeFacts } from './node/node-facts.ts';
export {
  AGENT_SERVICE,
  agentService,
  joinedAgentService,
  CLOUD_SERVICE,
  type ProgramService,
} from './service-program/agent-service.ts';
export { gatherServiceFacts, type ServiceFacts, refuseJoinedNode } from './service-program/facts.ts';
export { INSTALL_SERVICE, REMOVE_SERVICE } from './service-program/workflows.ts';
export { DOCTOR_CHECKS } from './checks/doctor-checks.ts';
export { type ExaminedMachine } from './checks/facts.ts';
export { gatherCheckFacts, type CheckFacts } from './checks/node-state.ts';
export { type ConfigurationWish } from './reconfigure/facts.ts';
export {
  applyConfiguration,
  planReconfiguration,
  type ConfigurationSummary,
  type Reconfiguration,
} from './reconfigure/reconfigure.ts';
export { changeVersion, planVersionChange, type FindVersion, type VersionChange } from './upgrade/change-version.ts';
export { type UpgradeRequest, type UpgradeWishes } from './upgrade/facts.ts';
export { findRollback } from './upgrade/rollback.ts';
export { listVersionBackups, type VersionBackup } from './upgrade/version-backup.ts';
export { gatherResetFacts, type ResetFacts, type ResetWishes } from './reset/facts.ts';
export { reportReset, type ResetReport, planReset, resetNode, type NodeReset } from './reset/reset-node.ts';
export { type JoinWishes } from './join/join-wishes.ts';
export { joinNode, planJoin, type PlannedJoin } from './join/plan-join.ts';
export { JOIN_CHECKS } from './join/preflight/join-checks.ts';
export { backUpNode, planBackup, type NodeBackup } from './backup/back-up-node.ts';
export { type BackupWishes } from './backup/facts.ts';
export { listArchives, type FoundArchive } from './backup/archives.ts';
export { planRestore, restoreNode, type ChosenBackup } from './restore/restore-node.ts';
export { type RestoreWishes } from './restore/facts.ts';
