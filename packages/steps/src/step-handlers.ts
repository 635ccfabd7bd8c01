import type { StepHandler, StepKind } from '@fenestra/kernel';
import { placeFile } from './place-file.ts';
import { unpackBackup } from './backup/unpack-backup.ts';
import { writeBackup } from './backup/write-backup.ts';
import { claimFolders } from './claim-folders.ts';
import { claimNode } from './claim-node.ts';
import { clearFolder } from './clear-folder.ts';
import { deleteNode } from './cloud-node/delete-node.ts';
import { drainNode } from './cloud-node/drain-node.ts';
import { holdName } from './cloud-node/hold-name.ts';
import { leaveCloud } from './cloud-node/leave-cloud.ts';
import { uncordonNode } from './cloud-node/uncordon-node.ts';
import { createFolder } from './create-folder.ts';
import { discardPath } from './discard-path.ts';
import { restoreDatabase } from './database/restore-database.ts';
import { snapshotDatabase } from './database/snapshot-database.ts';
import { armGuard, disarmGuard } from './guard/guard-steps.ts';
import { proveHealthy } from './health/prove-healthy.ts';
import { fetchPiece } from './image/fetch-piece.ts';
import { enableFeature, installPackage } from './image/package-steps.ts';
import { setRegistryValue } from './image/registry-step.ts';
import { addToSearchPath } from './image/search-path-step.ts';
import { setStartType } from './image/start-type-step.ts';
import { unpackArchive } from './image/unpack-archive.ts';
import { markNode } from './kubelet/mark-node.ts';
import { proveKubelet } from './kubelet/prove-kubelet.ts';
import { requestIdentity } from './kubelet/request-identity.ts';
import { placeExecutable } from './place-executable.ts';
import { removePods } from './pods/remove-pods.ts';
import { sweepOnRevert } from './pods/sweep-on-revert.ts';
import type { StepPorts } from '@fenestra/session';
import { fetchAgent } from './release/fetch-agent.ts';
import { fetchProgram } from './release/fetch-program.ts';
import { reloadOnRevert, reloadService } from './reload-service.ts';
import { removePath } from './remove-path.ts';
import { installService, removeService, startService, stopService } from './services.ts';
import { swapExecutable } from './swap-executable.ts';
import { unmount } from './unmount.ts';
import { writeFile } from './write-file.ts';
import { writeSecret } from './write-secret.ts';
import { closeFirewall, openFirewall } from './worker-machine/firewall-steps.ts';
import { removeContainerNetwork } from './worker-machine/remove-container-network.ts';

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
