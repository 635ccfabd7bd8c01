export { type BackupSource } from './backup/backup-member.ts';
export { inspectBackup, type InspectedBackup } from './backup/inspect-backup.ts';
export { PASSPHRASE } from './backup/passphrase.ts';
export { copyFile, placeFile } from './place-file.ts';
export { readManifest, type LockedBackup } from './backup/read-backup.ts';
export { unpackedPath, unpackBackup } from './backup/unpack-backup.ts';
export { writeBackup } from './backup/write-backup.ts';
export { claimFolders } from './claim-folders.ts';
export { claimNode } from './claim-node.ts';
export { clearFolder, clearJudged } from './clear-folder.ts';
export { deleteNode } from './cloud-node/delete-node.ts';
export { drainNode } from './cloud-node/drain-node.ts';
export { type NamedNode } from './cloud-node/give-name-back.ts';
export { holdName } from './cloud-node/hold-name.ts';
export { leaveCloud } from './cloud-node/leave-cloud.ts';
export { uncordonNode } from './cloud-node/uncordon-node.ts';
export {
  withNodeCloud,
  type CloudNode,
  type CloudPod,
  type NodeCloud,
  type OpenNodeCloud,
} from './cloud-node/node-cloud.ts';
export { createFolder } from './create-folder.ts';
export { DATABASE_COMPANIONS } from './database/put-back.ts';
export { copyDatabase, databaseShape } from './database/copy-database.ts';
export { discard, discardPath, discardPrevious } from './discard-path.ts';
export { restoreDatabase } from './database/restore-database.ts';
export { snapshotDatabase } from './database/snapshot-database.ts';
export { missingFolders, pathExists } from './existing-path.ts';
export { judgeFolders, type FolderListing, type JudgedFolder, type Kept } from './folders/judge-folders.ts';
export { listFolders } from './folders/list-folders.ts';
export { compareFolders } from './folders/compare-folders.ts';
export { filesOf, type NodeFolder } from './folders/node-folder.ts';
export { GUARD_SERVICE, guardService } from './guard/guard-service.ts';
export { armGuardIf, type Guard } from './guard/guard-phase.ts';
export { disarmGuard } from './guard/guard-steps.ts';
export { readAgentStatus } from './health/agent-status-file.ts';
export { awaitHealthy, type Proof, proveHealthy } from './health/prove-healthy.ts';
export { isWithin, mountPointsBelow, podVolumesBelow } from './mount-points.ts';
export { matchesAny } from './name-pattern.ts';
export { placeExecutable } from './place-executable.ts';
export { digestOf } from './digest.ts';
export { digestIfAny, previousVersion, stagedPath } from './previous-version.ts';
export { nurseryOf } from './private-file.ts';
export { type Secrets, type StepPorts } from './ports.ts';
export { inspectRuntime, type RuntimeReport } from './pods/inspect-runtime.ts';
export { removePods } from './pods/remove-pods.ts';
export { sweepOnRevert } from './pods/sweep-on-revert.ts';
export { type AgentSource, type AgentTarget } from './release/agent-source.ts';
export { unpackProgram } from './release/archive/unpack-program.ts';
export { askProgram } from './release/ask-program.ts';
export { executableTarget } from './release/executable-target.ts';
export { executableVersion, type ExecutableVersion } from './release/executable-version.ts';
export { fetchAgent } from './release/fetch-agent.ts';
export { fetchProgram } from './release/programs/fetch-program.ts';
export { hasDigest } from './release/programs/file-digest.ts';
export { PROGRAM_NAMES, type ProgramName, type ProgramSource } from './release/programs/program-source.ts';
export { programVersion } from './release/programs/program-version.ts';
export { resolveProgram, type ProgramRequest } from './release/programs/resolve-program.ts';
export { fetchChecked } from './release/fetching/fetch-checked.ts';
export { releaseSecrets } from './release/http/address.ts';
export { type AgentRequest, type SourceEnvironment } from './release/sources/agent-request.ts';
export { resolveAgentSource } from './release/sources/resolve-agent-source.ts';
export { readTrustKeys } from './release/trust-key-file.ts';
export { reloadOnRevert, reloadService } from './reload-service.ts';
export { remove, removePath } from './remove-path.ts';
export { installService, removeService, startService, stopService, stopUnlessStopped } from './services.ts';
export { swapExecutable } from './swap-executable.ts';
export { unmount } from './unmount.ts';
export { closeFirewall, openFirewall } from './worker-machine/firewall-steps.ts';
export { removeContainerNetwork } from './worker-machine/remove-container-network.ts';
export { writeFile } from './write-file.ts';
export { digestOfText, writeSecret } from './write-secret.ts';
export { STEP_HANDLERS } from './step-handlers.ts';
export { bytesText } from './room.ts';
export { requireRoom, sizeOf, type NeededRoom } from './room.ts';
export { fail, pass, skip, warn, type Finding, type NamedFinding, type Verdict } from './checks/finding.ts';
export { failed, passed, skipped, type PreflightFinding } from './checks/preflight-finding.ts';
export { requireCheckNames } from './checks/require-check-names.ts';
export { requirePassed } from './checks/require-passed.ts';
export { guardProgram } from './guard/guard-program.ts';
export { type ScriptFacts } from './scripts/script-variables.ts';
export { changeWithScripts, withScripts, type ScriptedChange, type ScriptedWork } from './scripts/with-scripts.ts';
export {
  actOnNode,
  changeNode,
  overrideNode,
  recoverOnly,
  type AbandonedRun,
  type CarriedOut,
  type NodeChange,
  type PlannedChange,
} from './session/change-node.ts';
export { heardSession, type HeardRun } from './session/heard-session.ts';
export { type NodeSession } from './session/node-session.ts';
export { requireInTheWay, setJournalAside, type SetAside, type UnwantedJournal } from './session/set-journal-aside.ts';
export { nodeJournals, underLock } from './session/under-lock.ts';
export {
  type ClusterAccess,
  type ClusterNode,
  type OpenWorkerCluster,
  type RequestedCertificate,
  type WorkerCluster,
} from './cluster/worker-cluster.ts';
export { withWorkerCluster } from './cluster/with-cluster.ts';
export { fetchPiece } from './image/fetch-piece.ts';
export { enableFeature, installPackage } from './image/package-steps.ts';
export { type PieceSignature } from './image/piece-signature.ts';
export { setRegistryValue } from './image/registry-step.ts';
export { isSameFolder, addToSearchPath } from './image/search-path-step.ts';
export { setStartType } from './image/start-type-step.ts';
export { replacedFolder, unpackArchive } from './image/unpack-archive.ts';
export { markNode } from './kubelet/mark-node.ts';
export { awaitKubelet, type KubeletProof, proveKubelet } from './kubelet/prove-kubelet.ts';
export { requestIdentity } from './kubelet/request-identity.ts';
export { currentPair } from './kubelet/identity-files.ts';
