export { type AccessControl, type AccessReport, type PathUse } from './access-control.ts';
export { childEnvironment } from './child-environment.ts';
export {
  addressKey,
  limitConnections,
  limitPending,
  PENDING,
  type PendingConnections,
  type PendingLimits,
} from './connection-limits.ts';
export type {
  ContainerNetwork,
  ContainerNetworks,
  Firewall,
  FirewallRule,
  LinuxWorkerFacts,
  WindowsWorkerFacts,
  WorkerHostFacts,
} from './worker-host.ts';
export {
  EXECUTABLE_MODE,
  type CopyOptions,
  type CopyResult,
  type FileStore,
  type ReplaceOptions,
} from './file-store.ts';
export {
  type ClockFacts,
  type DiskFacts,
  type Host,
  type HostFacts,
  type ProcessIdentity,
  type RuntimeEndpoint,
} from './host.ts';
export { jsonLogger, silentLogger, type LogFields, type LogLevel, type Logger } from './logger.ts';
export { lastLines, openRotatingFile, type RotatingFile } from './log/rotating-file.ts';
export type { HostedProgram, ProgramCommand, ProgramHost, ServiceHost, ServiceProgram } from './service-program.ts';
export {
  type RemoteAuth,
  type RemoteEnd,
  type RemoteFile,
  type RemoteHost,
  type RemoteHosts,
  type RemoteLimits,
  type RemoteProcess,
  type RemoteTarget,
} from './remote/remote-host.ts';
export { awaitScript } from './scripts/await-script.ts';
export { requireScriptFile, unrunnable, type Script, type ScriptResult, type Scripts } from './scripts/scripts.ts';
export {
  RECOVERY_POLICY,
  type InstallOutcome,
  type RecoveryPolicy,
  type ServiceAction,
  type ServiceControl,
  type ServiceManager,
  type ServiceSpec,
  type ServiceState,
  type ServiceStatus,
  type StartType,
  requireServiceName,
} from './service-manager.ts';
export type { NodeLayout, WorkerLayout } from './node-layout.ts';
export { requestsInTurn } from './requests-in-turn.ts';
export {
  type PackageInstaller,
  type RegistryContent,
  type SearchPath,
  type SystemRegistry,
  type SystemSetup,
} from './system-setup.ts';
export { nextPause, pause, throwIfAborted, untilFired, waitUntil, within } from './waiting.ts';
export { windowsCommandLine, powershellBytes, powershellText } from './windows-words.ts';
export {
  digestIfAny,
  digestOf,
  existingPaths,
  missingFolders,
  missingPaths,
  namesIn,
  pathExists,
  readText,
  readTextIfAny,
} from './files/present-files.ts';
export { repairLog } from './files/write-ahead-log.ts';
export { type NeededRoom, bytesText, requireRoom, requireSpace, sizeOf } from './files/room.ts';
export {
  type MemoryFacts,
  type MemoryFolder,
  type PodCgroupLimits,
  type PodHost,
  type PodMachine,
  type ProcessFacts,
  type VolumePart,
} from './pod-host.ts';
