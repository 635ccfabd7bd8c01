export { nextBackoff, retryTime, type BackoffEntry } from './backoff.ts';
export { type PodFacts, type ProbeVerdict, type ProbeVerdicts, type StartFailure, type StopRequest } from './facts.ts';
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
export { observedContainer, toMilliseconds } from './observed-container.ts';
export { type Container, type LifecycleHandler, type Probe, type VolumeMount } from './pod/container-fields.ts';
export { isSidecar, isStaticPod, podKey, Pod, type PodSpec, SOURCE_ANNOTATION } from './pod/pod.ts';
export { podProblemText, readPod, type PodReading } from './pod/read-pod.ts';
export { type ContainerStatus, type PodCondition, type PodPhase, PodStatus } from './pod/status-fields.ts';
export { type Volume } from './pod/volume-fields.ts';
export { planPod } from './plan/plan-pod.ts';
export {
  type ContainerRole,
  type KillContainer,
  type KillReason,
  type PodAction,
  type PodEnding,
  type PodPlan,
  type PodStage,
  type StartContainer,
} from './plan/pod-plan.ts';
export { planOrphan, stopTimeoutSeconds } from './plan/termination.ts';
export { isReady, isStarted } from './plan/readiness.ts';
export { podHealth, type PodHealth } from './status/pod-health.ts';
export { podPhase, type PhaseFacts } from './status/phase.ts';
export { podStatus } from './status/pod-status.ts';
export { apiTime, type StatusFacts } from './status/status-facts.ts';
export { changesReadiness, statusPatch } from './status/status-patch.ts';
export {
  containerCommand,
  containerEnvironment,
  expandStatic,
  type ContainerEnvironment,
  type EnvironmentFacts,
} from './environment/container-environment.ts';
export {
  configMapData,
  secretData,
  type KeyedData,
  type MissingReference,
  type ReferencedData,
} from './environment/keyed-data.ts';
export { type Addresses } from './environment/pod-fields.ts';
export { type Amounts } from './environment/resource-fields.ts';
export { serviceVariables, type ServiceAddress } from './environment/service-variables.ts';
export { HOSTS_FILE, subPathFolder, terminationFile, volumeFolder, type VolumePlugin } from './volumes/pod-folders.ts';
export {
  containerPathOf,
  planMounts,
  type MountFacts,
  type MountPlan,
  type MountsPlan,
} from './volumes/plan-mounts.ts';
export { planVolumes } from './volumes/plan-volumes.ts';
export {
  neededTokens,
  tokenKey,
  tokenRenewalTime,
  tokenRequestSpec,
  type BoundVolume,
  type TokenNeed,
  type TokenRequestSpec,
  type VolumeFacts,
} from './volumes/volume-facts.ts';
export {
  type EmptyVolume,
  type FilesVolume,
  type HostPathType,
  type HostVolume,
  type MissingVolume,
  type RefusedVolume,
  type VolumeFile,
  type VolumeOwnership,
  type VolumePlan,
} from './volumes/volume-plan.ts';
export {
  linuxResources,
  qosOf,
  windowsResources,
  type LinuxContainerResources,
  type MachineFacts,
  type WindowsContainerResources,
} from './resources/container-resources.ts';
export { isCritical, isNodeCritical } from './resources/oom-score.ts';
export { podCgroup, podUidOfCgroup, qosCgroups, type CgroupDriver, type PodCgroup } from './resources/pod-cgroup.ts';
export { limitOf, podLimit, podRequest, requestOf } from './resources/pod-resources.ts';
export {
  containerSecurity,
  sandboxSecurity,
  securityProblem,
  type SecurityFacts,
} from './security/container-security.ts';
export { windowsSecurityProblem } from './security/windows-security.ts';
export { podSysctls, sysctlProblem } from './security/sysctls.ts';
export { parseResolvConf, podDns, type DnsConfig, type DnsFacts, type PodDns } from './network/dns.ts';
export { hostnameProblem, podNames, sandboxHostname, type PodNames } from './network/hostname.ts';
export { hostsFile } from './network/hosts-file.ts';
export { hostPorts, portMappings, resolvePort, type PortMapping } from './network/ports.ts';
export {
  containerConfig,
  type ContainerConfig,
  HOSTS_PATHS,
  type ContainerFacts,
  type Mount,
} from './configuration/container-config.ts';
export { sandboxConfig, type SandboxConfig, type SandboxFacts } from './configuration/sandbox-config.ts';
export {
  imagesToRemove,
  unusedImages,
  type ImageCollection,
  type ImageCollectionFacts,
  type ImageCollectionSettings,
  type StoredImage,
} from './images/image-collection.ts';
export { type NamedImage, neededImages, type ImageUse } from './images/needed-images.ts';
export { normalImageName, parseImageName, type ImageName } from './images/image-name.ts';
export { pullCredentials, type PullCredentials } from './images/pull-credentials.ts';
export {
  absentImage,
  failedPull,
  failedStart,
  isRegistryUnreachable,
  pullDecision,
  type PullDecision,
} from './images/pull-decision.ts';
export { httpOutcome, probeAction, type ProbeAction } from './probes/probe-action.ts';
export {
  afterProbe,
  newProbeState,
  nextProbeAt,
  PROBE_ATTEMPTS,
  probeNow,
  verdictsOf,
  type ProbeContext,
  type ProbeKind,
  type ProbeOutcome,
  type ProbeState,
} from './probes/probe-state.ts';
export { admissionOrder, admitPod, type AdmissionFacts, type Rejection } from './admission/admit-pod.ts';
export { unsupportedFields, type UnsupportedField } from './admission/unsupported.ts';
export {
  type FileProblem,
  isManifestName,
  type Manifest,
  type ManifestFile,
  takeManifests,
  type TakenManifests,
} from './static/manifests.ts';
export { type MirrorAction, mirrorUid, planMirrors } from './static/mirror-pods.ts';
export {
  containersToRemove,
  logFoldersToRemove,
  type ContainerCollection,
  type ContainerCollectionFacts,
  type OfPod,
} from './collection/container-collection.ts';
export { evictionOrder, evictionRequest, type PodUsage } from './eviction/ranking.ts';
export { storageLimitExceeded, type StorageUsage } from './eviction/storage-limits.ts';
export {
  conditionOf,
  NO_PRESSURE,
  nodePressure,
  type CrossedThreshold,
  type EvictionSettings,
  type EvictionSignal,
  type NodePressure,
  type PressureCondition,
  type PressureMemory,
  type Supply,
} from './eviction/thresholds.ts';
export { TERMINATION_LOG_TAIL, terminationMessage } from './status/termination-message.ts';
export {
  coreEvent,
  eventNamespace,
  eventRepetition,
  nodeSubject,
  podSubject,
  type CountedEvent,
  type EventSubject,
} from './events/core-event.ts';
export { KUBELET_EVENTS, type KubeletEvent } from './events/kubelet-event.ts';
export { type ContainerView, type EndView } from './view/container-view.ts';
export { type PodInstance, type PodView, podViews, type StoredPod } from './view/pod-view.ts';
