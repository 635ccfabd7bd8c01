import type { StepHandler, StepKind } from '@fenestra/kernel';
import type { StepPorts } from '@fenestra/session';
import { placeFile } from './place-file.ts';
import { unpackBackup } from './backup/unpack-backup.ts';
import { writeBackup } from './backup/write-backup.ts';
import { claimFolders, claimNode, createFolder } from './folders/private-folders.ts';
import { clearFolder, discardPath, removePath } from './folders/delete-files.ts';
import { deleteNode, drainNode, uncordonNode } from './cloud-node/drain-node.ts';
import { holdName, leaveCloud } from './cloud-node/node-name.ts';
import { restoreDatabase, snapshotDatabase } from './database/snapshot-database.ts';
import { armGuard, disarmGuard } from './guard/guard-steps.ts';
import { proveHealthy } from './health/prove-healthy.ts';
import { fetchPiece } from './image/fetch-piece.ts';
import {
  enableFeature,
  installPackage,
  setRegistryValue,
  addToSearchPath,
  setStartType,
} from './image/windows-setup-steps.ts';
import { unpackArchive } from './image/unpack-archive.ts';
import { markNode } from './kubelet/mark-node.ts';
import { proveKubelet } from './kubelet/prove-kubelet.ts';
import { requestIdentity } from './kubelet/request-identity.ts';
import { placeExecutable, swapExecutable } from './place-executable.ts';
import { removePods } from './pods/remove-pods.ts';
import { sweepOnRevert } from './pods/sweep-on-revert.ts';
import { fetchAgent, fetchProgram } from './release/fetch-programs.ts';
import { reloadOnRevert, reloadService } from './reload-service.ts';
import { installService, removeService, startService, stopService } from './services.ts';
import { unmount } from './unmount.ts';
import { writeFile, writeSecret } from './write-file.ts';
import { closeFirewall, openFirewall, removeContainerNetwork } from './worker-machine/network-steps.ts';

const KINDS: readonly Pick<StepKind<never, StepPorts>, 'handler'>[] = [
  claimNode,
  holdName,
  leaveCloud,
  claimFolders,
  writeBackup,
  unpackBackup,
  placeFile,
  createFolder,
  writeFile,
  writeSecret,
  placeExecutable,
  fetchAgent,
  fetchProgram,
  swapExecutable,
  snapshotDatabase,
  restoreDatabase,
  installService,
  startService,
  stopService,
  removeService,
  reloadService,
  reloadOnRevert,
  proveHealthy,
  requestIdentity,
  proveKubelet,
  markNode,
  armGuard,
  disarmGuard,
  removePath,
  discardPath,
  removePods,
  sweepOnRevert,
  clearFolder,
  unmount,
  openFirewall,
  closeFirewall,
  removeContainerNetwork,
  fetchPiece,
  unpackArchive,
  installPackage,
  enableFeature,
  setStartType,
  setRegistryValue,
  addToSearchPath,
  drainNode,
  uncordonNode,
  deleteNode,
];

/** Every kind of step there is, so that recovery can deal with whatever a journal holds. */
export const STEP_HANDLERS: readonly StepHandler<StepPorts>[] = KINDS.map(({ handler }) => handler);
