export { type BackupSource } from './backup/backup-member.ts';
export { inspectBackup, type InspectedBackup } from './backup/inspect-backup.ts';
export { PASSPHRASE } from './backup/passphrase.ts';
export { type PlaceFile } from './place-file.ts';
export { readManifest, type LockedBackup } from './backup/read-backup.ts';
export { unpackedPath, type UnpackBackup } from './backup/unpack-backup.ts';
export { type WriteBackup } from './backup/write-backup.ts';
export { type ClaimFolders } from './claim-folders.ts';
export { type ClaimNode } from './claim-node.ts';
export { type ClearFolder } from './clear-folder.ts';
export { type DeleteNode } from './cloud-node/delete-node.ts';
export { type DrainNode } from './cloud-node/drain-node.ts';
export { type NamedNode } from './cloud-node/give-name-back.ts';
export { type HoldName } from './cloud-node/hold-name.ts';
export { type LeaveCloud } from './cloud-node/leave-cloud.ts';
export { type UncordonNode } from './cloud-node/uncordon-node.ts';
export {
  withNodeCloud,
  type CloudNode,
  type CloudPod,
  type NodeCloud,
  type OpenNodeCloud,
} from './cloud-node/node-cloud.ts';
export { type CreateFolder } from './create-folder.ts';
export { DATABASE_COMPANIONS } from './database/companions.ts';
export { copyDatabase, databaseShape } from './database/copy-database.ts';
export { type DiscardPath } from './discard-path.ts';
export { type RestoreDatabase } from './database/restore-database.ts';
export { type SnapshotDatabase } from './database/snapshot-database.ts';
export { missingFolders, pathExists } from './existing-path.ts';
export { judgeFolders, type FolderListing, type JudgedFolder, type Kept } from './folders/judge-folders.ts';
export { listFolders } from './folders/list-folders.ts';
export { compareFolders } from './folders/compare-folders.ts';
export { filesOf, type NodeFolder } from './folders/node-folder.ts';
export { GUARD_SERVICE, guardService } from './guard/guard-service.ts';
export { type ArmGuard, type DisarmGuard } from './guard/guard-steps.ts';
export { readAgentStatus } from './health/agent-status-file.ts';
export { awaitHealthy, type Proof, type ProveHealthy } from './health/prove-healthy.ts';
export { isWithin, mountPointsBelow, podVolumesBelow } from './mount-points.ts';
export { matchesAny } from './name-pattern.ts';
export { type PlaceExecutable } from './place-executable.ts';
export { digestOf } from './digest.ts';
export { digestIfAny, previousVersion } from './previous-version.ts';
export { nurseryOf } from './private-file.ts';
export { type Secrets, type StepPorts } from './ports.ts';
export { inspectRuntime, type RuntimeReport } from './pods/inspect-runtime.ts';
export { type RemovePods } from './pods/remove-pods.ts';
export { type SweepOnRevert } from './pods/sweep-on-revert.ts';
export { type AgentSource, type AgentTarget } from './release/agent-source.ts';
export { unpackProgram } from './release/archive/unpack-program.ts';
export { askProgram } from './release/ask-program.ts';
export { executableTarget } from './release/executable-target.ts';
export { executableVersion, type ExecutableVersion } from './release/executable-version.ts';
export { type FetchAgent } from './release/fetch-agent.ts';
export { type FetchProgram } from './release/programs/fetch-program.ts';
export { hasDigest } from './release/programs/file-digest.ts';
export { PROGRAM_NAMES, type ProgramName, type ProgramSource } from './release/programs/program-source.ts';
export { programVersion } from './release/programs/program-version.ts';
export { resolveProgram, type ProgramRequest } from './release/programs/resolve-program.ts';
export { fetchChecked } from './release/fetching/fetch-checked.ts';
export { releaseSecrets } from './release/http/address.ts';
export { type AgentRequest, type SourceEnvironment } from './release/sources/agent-request.ts';
export { resolveAgentSource } from './release/sources/resolve-agent-source.ts';
export { readTrustKeys } from './release/trust-key-file.ts';
export { type ReloadOnRevert, type ReloadService } from './reload-service.ts';
export { type RemovePath } from './remove-path.ts';
export { type InstallService, type RemoveService, type StartService, type StopService } from './services.ts';
export { type SwapExecutable } from './swap-executable.ts';
export { type Unmount } from './unmount.ts';
export { type CloseFirewall, type OpenFirewall } from './worker-machine/firewall-steps.ts';
export { type RemoveContainerNetwork } from './worker-machine/remove-container-network.ts';
export { type WriteFile } from './write-file.ts';
export { digestOfText, type WriteSecret } from './write-secret.ts';
export { STEP_HANDLERS } from './step-handlers.ts';
export { bytesText } from './bytes-text.ts';
export { requireRoom, sizeOf, type NeededRoom } from './room.ts';
export { fail, pass, skip, warn, type Finding, type NamedFinding, type Verdict } from './checks/finding.ts';
export { failed, passed, skipped, type PreflightFinding } from './checks/preflight-finding.ts';
export { requireCheckNames } from './checks/require-check-names.ts';
export { requirePassed } from './checks/require-passed.ts';
export { guardProgram } from './guard/guard-program.ts';
export { type ScriptFacts } from './scripts/script-variables.ts';
export { withScripts, type ScriptedChange, type ScriptedWork } from './scripts/with-scripts.ts';
export {
  actOnNode,
  changeNode,
  overrideNode,
  recoverOnly,
  type AbandonedRun,
  type NodeChange,
} from './session/change-node.ts';
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
export { type FetchPiece } from './image/fetch-piece.ts';
export { type EnableFeature, type InstallPackage } from './image/package-steps.ts';
export { type PieceSignature } from './image/piece-signature.ts';
export { type SetRegistryValue } from './image/registry-step.ts';
export { isSameFolder, type AddToSearchPath } from './image/search-path-step.ts';
export { type SetStartType } from './image/start-type-step.ts';
export { replacedFolder, type UnpackArchive } from './image/unpack-archive.ts';
export { type MarkNode } from './kubelet/mark-node.ts';
export { type ProveKubelet } from './kubelet/prove-kubelet.ts';
export { type RequestIdentity } from './kubelet/request-identity.ts';
export { currentPair } from './kubelet/identity-files.ts';
