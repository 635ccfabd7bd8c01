export * from './kinds.ts';
export type { BackupSource } from './backup/backup-member.ts';
export { inspectBackup, type InspectedBackup, type LockedBackup, readManifest } from './backup/read-backup.ts';
export { PASSPHRASE } from './backup/sealed/header.ts';
export { unpackedPath } from './backup/unpack-backup.ts';
export { clearJudged, discard, discardPrevious, remove } from './folders/delete-files.ts';
export { type NamedNode } from './cloud-node/node-name.ts';
export { copyDatabase, databaseShape, DATABASE_COMPANIONS } from './database/copy-database.ts';
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
export { armGuardIf, type Guard } from './guard/guard-steps.ts';
export { readAgentStatus } from './health/judge-agent.ts';
export { awaitHealthy, type Proof } from './health/prove-healthy.ts';
export { isSameFolder } from './image/windows-setup-steps.ts';
export { replacedFolder } from './image/unpack-archive.ts';
export { currentPair } from './kubelet/identity-files.ts';
export { waitsForNetwork } from './kubelet/judge-kubelet.ts';
export { awaitKubelet, type KubeletProof } from './kubelet/prove-kubelet.ts';
export { isWithin, mountPointsBelow, podVolumesBelow } from './mount-points.ts';
export { copyFile } from './place-file.ts';
export { inspectRuntime, type RuntimeReport } from './pods/inspect-runtime.ts';
export { readRuntimeDetails, type RuntimeDetails } from './pods/runtime-details.ts';
export { previousVersion, stagedPath } from './replaced-files.ts';
export { nurseryOf, digestOfText } from './write-file.ts';
export { stopUnlessStopped } from './services.ts';
export { STEP_HANDLERS } from './step-handlers.ts';
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
