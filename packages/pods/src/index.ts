export { containerHash } from './identity/container-hash.ts';
export {
  ANNOTATIONS,
  containerAnnotations,
  containerLabels,
  LABELS,
  podIdentityOf,
  sandboxAnnotations,
  sandboxLabels,
  type PodIdentity,
  type TextMap,
} from './identity/labels.ts';
export {
  containerLogPath,
  highestLoggedAttempt,
  legacyLogName,
  podLogFolder,
  podOfLogFolder,
} from './identity/log-paths.ts';
export {
  instancesOf,
  newestSandbox,
  NOTHING_OBSERVED,
  type ObservedContainer,
  type ObservedPod,
  type ObservedSandbox,
} from './observed.ts';
export { type Container, type LifecycleHandler, type Probe, type VolumeMount } from './pod/container-fields.ts';
export { isSidecar, isStaticPod, podKey, Pod, type PodSpec } from './pod/pod.ts';
export { readPod, type PodReading } from './pod/read-pod.ts';
export { type ContainerStatus, type PodCondition, type PodPhase, PodStatus } from './pod/status-fields.ts';
export { type Volume } from './pod/volume-fields.ts';
