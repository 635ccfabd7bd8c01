export type { BackupSource } from './backup/backup-member.ts';
export { inspectBackup, type InspectedBackup, type LockedBackup, readManifest } from './backup/read-backup.ts';
export { PASSPHRASE } from './backup/sealed/header.ts';
export { unpackBackup, unpackedPath } from './backup/unpack-backup.ts';
export { writeBackup } from './backup/write-backup.ts';
export { claimFolders, claimNode, createFolder } from './folders/private-folders.ts';
export {
  clearFolder,
  clearJudged,
  discard,
  discardPath,
  discardPrevious,
  remove,
  removePath,
} from './folders/delete-files.ts';
export { deleteNode, drainNode, uncordonNode } from './cloud-node/drain-node.ts';
export { type NamedNode, holdName, leaveCloud } from './cloud-node/node-name.ts';
export { copyDatabase, databaseShape, DATABASE_COMPANIONS } from './database/copy-database.ts';
export { restoreDatabase, snapshotDatabase } from './database/snapshot-database.ts';
export {
  compareFolders,
  type FolderListing,
  type JudgedFolder,
  judgeFolders,
  type Kept,
  listFolders,
  filesOf,
  type NodeFolder,
  matchesAny,
} from './folders/judge-folders.ts';
export { armGuardIf, type Guard, disarmGuard } from './guard/guard-steps.ts';
export { readAgentStatus } from './health/judge-agent.ts';
export { awaitHealthy, type Proof, proveHealthy } from './health/prove-healthy.ts';
export { fetchPiece } from './image/fetch-piece.ts';
export {
  enableFeature,
  installPackage,
  setRegistryValue,
  addToSearchPath,
  isSameFolder,
  setStartType,
} from './image/windows-setup-steps.ts';
export { replacedFolder, unpackArchive } from './image/unpack-archive.ts';
export { currentPair } from './kubelet/identity-files.ts';
export { markNode } from './kubelet/mark-node.ts';
export { awaitKubelet, type KubeletProof, proveKubelet } from './kubelet/prove-kubelet.ts';
export { requestIdentity } from './kubelet/request-identity.ts';
export { isWithin, mountPointsBelow, podVolumesBelow } from './mount-points.ts';
export { placeExecutable, swapExecutable } from './place-executable.ts';
export { copyFile, placeFile } from './place-file.ts';
export { inspectRuntime, type RuntimeReport } from './pods/inspect-runtime.ts';
export { removePods } from './pods/remove-pods.ts';
export { sweepOnRevert } from './pods/sweep-on-revert.ts';
export { previousVersion, stagedPath } from './replaced-files.ts';
export { nurseryOf, writeFile, digestOfText, writeSecret } from './write-file.ts';
export { fetchAgent, fetchProgram } from './release/fetch-programs.ts';
export { reloadOnRevert, reloadService } from './reload-service.ts';
export { installService, removeService, startService, stopService, stopUnlessStopped } from './services.ts';
export { STEP_HANDLERS } from './step-handlers.ts';
export { unmount } from './unmount.ts';
export { closeFirewall, openFirewall, removeContainerNetwork } from './worker-machine/network-steps.ts';
export {
  type BackupFile,
  type BackupManifest,
  BackupRole,
  BackupSubject,
  invalidBackup,
  isPodFileName,
  memberPath,
  podFileName,
} from './backup/manifest.ts';
export { type FolderMove, portableConfiguration, relocateConfiguration } from './backup/portable-configuration.ts';
