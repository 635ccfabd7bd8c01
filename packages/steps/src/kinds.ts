export { unpackBackup } from './backup/unpack-backup.ts';
export { writeBackup } from './backup/write-backup.ts';
export { deleteNode, drainNode, uncordonNode } from './cloud-node/drain-node.ts';
export { holdName, leaveCloud } from './cloud-node/node-name.ts';
export { restoreDatabase, snapshotDatabase } from './database/snapshot-database.ts';
export { clearFolder, discardPath, removePath } from './folders/delete-files.ts';
export { claimFolders, claimNode, createFolder } from './folders/private-folders.ts';
export { armGuard, disarmGuard } from './guard/guard-steps.ts';
export { proveHealthy } from './health/prove-healthy.ts';
export { recordPods } from './health/record-pods.ts';
export { fetchPiece } from './image/fetch-piece.ts';
export { unpackArchive } from './image/unpack-archive.ts';
export {
  enableFeature,
  installPackage,
  setRegistryValue,
  addToSearchPath,
  setStartType,
} from './image/windows-setup-steps.ts';
export { markNode } from './kubelet/mark-node.ts';
export { proveKubelet } from './kubelet/prove-kubelet.ts';
export { requestIdentity } from './kubelet/request-identity.ts';
export { placeExecutable, swapExecutable } from './place-executable.ts';
export { placeFile } from './place-file.ts';
export { removePods } from './pods/remove-pods.ts';
export { sweepOnRevert } from './pods/sweep-on-revert.ts';
export { fetchAgent, fetchProgram } from './release/fetch-programs.ts';
export { reloadOnRevert, reloadService } from './reload-service.ts';
export { installService, removeService, startService, stopService } from './services.ts';
export { unmount } from './unmount.ts';
export { closeFirewall, openFirewall, removeContainerNetwork } from './worker-machine/network-steps.ts';
export { writeFile, writeSecret } from './write-file.ts';
