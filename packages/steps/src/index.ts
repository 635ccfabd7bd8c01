import type { StepHandler } from '@fenestra/kernel';
import { placeFile } from './place-file.ts';
import { unpackBackup } from './backup/unpack-backup.ts';
import { writeBackup } from './backup/write-backup.ts';
import { claimNode } from './claim-node.ts';
import { clearFolder } from './clear-folder.ts';
import { deleteNode } from './cloud-node/delete-node.ts';
import { drainNode } from './cloud-node/drain-node.ts';
import { createFolder } from './create-folder.ts';
import { discardPath } from './discard-path.ts';
import { restoreDatabase } from './database/restore-database.ts';
import { snapshotDatabase } from './database/snapshot-database.ts';
import { armGuard, disarmGuard } from './guard/guard-steps.ts';
import { proveHealthy } from './health/prove-healthy.ts';
import { placeExecutable } from './place-executable.ts';
import { removePods } from './pods/remove-pods.ts';
import type { StepPorts } from './ports.ts';
import { fetchAgent } from './release/fetch-agent.ts';
import { reloadOnRevert, reloadService } from './reload-service.ts';
import { removePath } from './remove-path.ts';
import { installService, removeService, startService, stopService } from './services.ts';
import { swapExecutable } from './swap-executable.ts';
import { unmount } from './unmount.ts';
import { writeFile } from './write-file.ts';
import { writeSecret } from './write-secret.ts';

export { type BackupSource } from './backup/backup-member.ts';
export { inspectBackup, type InspectedBackup } from './backup/inspect-backup.ts';
export { PASSPHRASE } from './backup/passphrase.ts';
export { type PlaceFile } from './place-file.ts';
export { readManifest, type LockedBackup } from './backup/read-backup.ts';
export { unpackedPath, type UnpackBackup } from './backup/unpack-backup.ts';
export { type WriteBackup } from './backup/write-backup.ts';
export { type ClaimNode } from './claim-node.ts';
export { type ClearFolder } from './clear-folder.ts';
export { type DeleteNode } from './cloud-node/delete-node.ts';
export { type DrainNode } from './cloud-node/drain-node.ts';
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
export { pathExists } from './existing-path.ts';
export { GUARD_SERVICE, guardService } from './guard/guard-service.ts';
export { type ArmGuard, type DisarmGuard } from './guard/guard-steps.ts';
export { readAgentStatus } from './health/agent-status-file.ts';
export { awaitHealthy, type Proof, type ProveHealthy } from './health/prove-healthy.ts';
export { lastLines } from './health/log-tail.ts';
export { isWithin, mountPointsBelow } from './mount-points.ts';
export { matchesAny } from './name-pattern.ts';
export { type PlaceExecutable } from './place-executable.ts';
export { digestIfAny, digestOf, previousVersion } from './previous-version.ts';
export { type Secrets, type StepPorts } from './ports.ts';
export { inspectRuntime, type RuntimeReport } from './pods/inspect-runtime.ts';
export { type RemovePods } from './pods/remove-pods.ts';
export { type AgentSource, type AgentTarget } from './release/agent-source.ts';
export { unpackProgram } from './release/archive/unpack-program.ts';
export { executableTarget } from './release/executable-target.ts';
export { executableVersion, type ExecutableVersion } from './release/executable-version.ts';
export { type FetchAgent } from './release/fetch-agent.ts';
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
export { type WriteFile } from './write-file.ts';
export { digestOfText, type WriteSecret } from './write-secret.ts';

/** Every kind of step there is, so that recovery can deal with whatever a journal holds. */
export const STEP_HANDLERS: readonly StepHandler<StepPorts>[] = [
  claimNode,
  writeBackup,
  unpackBackup,
  placeFile,
  createFolder,
  writeFile,
  writeSecret,
  placeExecutable,
  fetchAgent,
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
  armGuard,
  disarmGuard,
  removePath,
  discardPath,
  removePods,
  clearFolder,
  unmount,
  drainNode,
  deleteNode,
];
