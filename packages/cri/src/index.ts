export type { CriVersion } from './calls.ts';
export { connectRuntime, withRuntime } from './connect-runtime.ts';
export { containerStateOf } from './container-state.ts';
export type {
  AttachRequestInit,
  AuthConfigInit,
  ContainerConfigInit,
  ContainerFilterInit,
  ContainerRuntime,
  ContainerStatsFilterInit,
  ExecRequestInit,
  ImageSpecInit,
  PodSandboxConfigInit,
  PodSandboxFilterInit,
  PodSandboxStatsFilterInit,
  PortForwardRequestInit,
  RuntimeHealth,
  RuntimeVersion,
} from './container-runtime.ts';
export { diagnose, runtimeError, type RuntimeTrouble } from './diagnose.ts';
export type { PluginNetwork, RuntimeSettings } from './runtime-settings.ts';
export { socketPathOf } from './endpoint.ts';
export { ConnectionLost, GRPC_STATUS, GrpcFailure, hasStatus, NotGrpc } from './grpc/failure.ts';
