export { type AccessControl, type AccessReport, type PathUse } from './access-control.ts';
export { childEnvironment } from './child-environment.ts';
export { type ContainerNetwork, type ContainerNetworks } from './container-networks.ts';
export {
  EXECUTABLE_MODE,
  type CopyOptions,
  type CopyResult,
  type FileStore,
  type ReplaceOptions,
} from './file-store.ts';
export { type Firewall, type FirewallRule } from './firewall.ts';
export {
  type ClockFacts,
  type DiskFacts,
  type Host,
  type HostFacts,
  type ProcessIdentity,
  type RuntimeEndpoint,
} from './host.ts';
export { jsonLogger, silentLogger, type LogFields, type LogLevel, type Logger } from './logger.ts';
export { lastLines } from './log/last-lines.ts';
export { openRotatingFile, type RotatingFile } from './log/rotating-file.ts';
export { type HostedProgram, type ProgramCommand, type ProgramHost } from './program-host.ts';
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
export { requireScriptFile, unrunnable } from './scripts/script-errors.ts';
export { type Script, type ScriptResult, type Scripts } from './scripts/scripts.ts';
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
} from './service-manager.ts';
export { requireServiceName } from './service-name.ts';
export { type ServiceHost, type ServiceProgram } from './service-program.ts';
export { type NodeLayout } from './node-layout.ts';
export {
  type PackageInstaller,
  type RegistryContent,
  type SearchPath,
  type SystemRegistry,
  type SystemSetup,
} from './system-setup.ts';
export { nextPause, pause, throwIfAborted, untilFired, waitUntil, within } from './waiting.ts';
export { windowsCommandLine } from './windows-words/command-line.ts';
export { powershellBytes, powershellText } from './windows-words/powershell-text.ts';
export { type LinuxWorkerFacts, type WindowsWorkerFacts, type WorkerHostFacts } from './worker-host.ts';
export { type WorkerLayout } from './worker-layout.ts';
export { digestIfAny, digestOf } from './files/digest.ts';
export { missingFolders, pathExists } from './files/existing-path.ts';
export { type NeededRoom, bytesText, requireRoom, requireSpace, sizeOf } from './files/room.ts';
