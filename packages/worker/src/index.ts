export { bootstrapKubeconfig, type BootstrapWish, type DiscoveredCluster } from './discovery/worker-kubeconfigs.ts';
export { type Patience } from './discovery/until-found.ts';
export { gatherMachine, installed, type InstalledProgram, type WorkerMachine } from './machine/gather-machine.ts';
export { alreadyJoined } from './join/membership.ts';
export { type KubeJoinFacts } from './join/join-facts.ts';
export { type KubeJoinWishes } from './join/join-facts.ts';
export { joinWorker } from './join/join-worker.ts';
export { planKubeJoin, type PlannedKubeJoin } from './join/join-worker.ts';
export { KUBE_JOIN_CHECKS, KUBE_UPGRADE_CHECKS, PREPARE_CHECKS } from './preflight/worker-checks.ts';
export { waivedChecks } from './preflight/worker-checks.ts';
export { planFreshPreparation, type FreshMachine } from './prepare/fresh-preparation.ts';
export { KUBELET_RULE } from './prepare/gather-prepare-facts.ts';
export {
  planPreparation,
  planPreparationOf,
  prepareWorker,
  type PlannedPreparation,
  type PrepareWishes,
} from './prepare/prepare-worker.ts';
export { parseProgramNames, type ProgramWishes } from './prepare/wanted-programs.ts';
export { readRecord, type Membership, type WorkerRecord } from './worker-record.ts';
export { type WorkerPorts, type WorkerSession } from './worker-session.ts';
export { keptPrograms } from './upgrade/kept-programs.ts';
export { type KubeUpgradeWishes } from './upgrade/gather-upgrade-facts.ts';
export { planKubeUpgrade, upgradeWorker, type PlannedUpgrade, type WorkerUpgrade } from './upgrade/upgrade-worker.ts';
export { gatherResetFacts } from './reset/gather-reset-facts.ts';
export { reportKubeReset, type KubeResetReport } from './reset/reset-worker.ts';
export { type KubeResetFacts, type KubeResetWishes } from './reset/workflow.ts';
export { planKubeReset, resetWorker, type WorkerReset } from './reset/reset-worker.ts';
export { gatherWorkerStatus, type WorkerStatus } from './worker-status.ts';
export { kubeletKubeconfig, tokenKubeconfig } from './discovery/worker-kubeconfigs.ts';
export { signClusterInfo, signatureKey } from './discovery/cluster-info.ts';
