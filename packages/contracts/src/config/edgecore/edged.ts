import * as z from 'zod/mini';
import { field, type Machine } from '../fields.ts';
import {
  count,
  duration,
  flag,
  int32,
  labels,
  logSize,
  nodeName,
  percent,
  portOrNone,
  positive,
  switches,
  text,
  textList,
  texts,
} from '../scalars.ts';

/** A taint the node registers with. */
const Taint = z.strictObject({
  key: text.check(z.minLength(1, 'must not be empty')),
  value: z.optional(text),
  effect: z.enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
  timeAdded: z.optional(text),
});

const LogStream = z.strictObject({
  splitStream: field(z.optional(flag), 'Whether errors go to standard error and the rest to standard output.'),
  infoBufferSize: field(z.optional(text), 'How much of the rest is held back at most.'),
});

const LogOptions = z.optional(
  z.strictObject({
    text: field(z.optional(LogStream), 'Details of the text format.'),
    json: field(z.optional(LogStream), 'Details of the JSON format.'),
  }),
);

/** How the kubelet writes its log. */
const Logging = z.strictObject({
  format: field(text, 'The format of its lines.', 'text'),
  /** Text since Kubernetes 1.28; nanoseconds before. */
  flushFrequency: field(z.union([duration, z.int()]), 'How often it is written out; a number is in nanoseconds.', '5s'),
  verbosity: field(count, 'Log verbosity.', 0),
  vmodule: field(
    z.optional(z.array(z.strictObject({ filePattern: text, verbosity: count }))),
    'Log verbosity by source file.',
  ),
  options: field(LogOptions, 'Details by format.', { text: { infoBufferSize: '0' }, json: { infoBufferSize: '0' } }),
});

const EVICTION = {
  linux: {
    'memory.available': '100Mi',
    'nodefs.available': '10%',
    'nodefs.inodesFree': '5%',
    'imagefs.available': '15%',
    'imagefs.inodesFree': '5%',
  },
  windows: { 'memory.available': '500Mi', 'nodefs.available': '10%', 'imagefs.available': '15%' },
};

const ON_LINUX = ({ os }: Machine): boolean => os === 'linux';

/** `modules.edged.tailoredKubeletConfig`: the kubelet's settings as KubeEdge cut them down. */
// oxfmt-ignore
const KubeletSettings = z.strictObject({
  staticPodPath: field(text, 'The folder of files that define static pods, which run without the cloud. Empty: there are none.', ({ paths }) => paths.staticPods),
  podLogsDir: field(text, 'The folder of the logs of pods.', '/var/log/pods'),
  syncFrequency: field(duration, 'How often running pods are compared with what they should be.', '1m0s'),
  fileCheckFrequency: field(duration, 'How often the folder of static pods is read without a notification.', '20s'),
  address: field(text, 'The address the read-only server listens on.', '127.0.0.1'),
  readOnlyPort: field(portOrNone, 'The port of the read-only server; 0 disables it.', 10350),
  registryPullQPS: field(count, 'Image pulls per second, on average; 0 means no limit.', 5),
  registryBurst: field(count, 'Image pulls that may start at once.', 10),
  eventRecordQPS: field(count, 'Events per second, on average; 0 means no limit.', 50),
  eventBurst: field(count, 'Events that may be made at once.', 100),
  enableDebuggingHandlers: field(flag, 'Whether the local server offers logs, exec and attach.', true),
  enableContentionProfiling: field(flag, 'Whether lock contention is profiled.', false),
  oomScoreAdj: field(z.int().check(z.minimum(-1000), z.maximum(1000)), 'How unwilling the kernel is to kill the agent for memory.', -999),
  clusterDomain: field(text, 'The DNS domain of the cluster.', 'cluster.local'),
  clusterDNS: field(textList, "Addresses of the cluster's DNS servers; if empty, those of the host are used.", []),
  streamingConnectionIdleTimeout: field(duration, 'How long an idle exec or attach stays open.', '4h0m0s'),
  nodeStatusUpdateFrequency: field(duration, "How often the node's status is worked out.", '10s'),
  nodeStatusReportFrequency: field(duration, 'How often an unchanged status is sent all the same.', '5m0s'),
  nodeLeaseDurationSeconds: field(positive, "How long the cloud waits for the node's lease to be renewed.", 40),
  imageMinimumGCAge: field(duration, 'How long an unused image is kept at least.', '2m0s'),
  imageMaximumGCAge: field(duration, 'How long an unused image is kept at most; 0s means no limit.', '0s'),
  imageGCHighThresholdPercent: field(percent, 'Disk usage at which images are deleted.', 85),
  imageGCLowThresholdPercent: field(percent, 'Disk usage down to which images are deleted.', 80),
  volumeStatsAggPeriod: field(duration, 'How often the size of volumes is measured, at most once a second; zero or less disables it.', '1m0s'),
  kubeletCgroups: field(text, 'The control group of the agent.', ''),
  systemCgroups: field(text, 'The control group of processes outside containers.', ''),
  cgroupRoot: field(text, 'The parent control group of pods.', ''),
  cgroupsPerQOS: field(flag, 'Whether pods are grouped by quality of service.', ON_LINUX),
  cgroupDriver: field(text, 'Who manages control groups: cgroupfs or systemd. Not used on Windows.', ({ os }) => (os === 'linux' ? 'cgroupfs' : '')),
  singleProcessOOMKill: field(z.optional(flag), 'Whether one process of a container may be killed for memory alone.'),
  cpuManagerPolicy: field(text, 'How processors are handed out.', 'none'),
  cpuManagerPolicyOptions: field(z.optional(texts), 'Details of that policy.'),
  cpuManagerReconcilePeriod: field(duration, 'How often that is corrected.', '10s'),
  memoryManagerPolicy: field(text, 'How memory is handed out.', 'None'),
  topologyManagerPolicy: field(text, 'How processors and devices are kept near each other.', 'none'),
  topologyManagerScope: field(text, 'Whether that is per container or per pod.', 'container'),
  topologyManagerPolicyOptions: field(z.optional(texts), 'Details of that policy.'),
  qosReserved: field(z.optional(texts), 'Shares of resources kept for guaranteed pods.'),
  runtimeRequestTimeout: field(duration, 'How long the container runtime may take to answer.', '2m0s'),
  hairpinMode: field(text, 'How a pod reaches itself through a service.', 'promiscuous-bridge'),
  maxPods: field(count, 'Pods the node takes.', 110),
  podCIDR: field(text, 'Addresses for pods where no cluster gives them.', ''),
  podPidsLimit: field(z.int(), 'Processes of one pod; -1 means no limit per pod.', -1),
  resolvConf: field(text, 'The DNS settings containers start from; empty means none.', ({ os }) => (os === 'linux' ? '/etc/resolv.conf' : '')),
  cpuCFSQuota: field(flag, 'Whether CPU limits are enforced by quota.', ON_LINUX),
  cpuCFSQuotaPeriod: field(duration, 'The period of that quota.', '100ms'),
  nodeStatusMaxImages: field(z.int().check(z.minimum(-1)), 'Images listed in the status; 0 means none, -1 all.', 0),
  maxOpenFiles: field(z.int().check(z.minimum(0)), 'Files the agent may have open.', 1_000_000),
  contentType: field(text, 'The encoding of requests to the API.', 'application/json'),
  serializeImagePulls: field(flag, 'Whether images are pulled one after the other.', true),
  maxParallelImagePulls: field(z.optional(positive), 'Images pulled at a time, where not one after the other.'),
  evictionHard: field(texts, 'Where pods are ended at once. What the file names is added to the defaults.', ({ os }) => EVICTION[os]),
  evictionSoft: field(z.optional(texts), 'Where pods are ended after a while.'),
  evictionSoftGracePeriod: field(z.optional(texts), 'How long that while is, by signal.'),
  evictionPressureTransitionPeriod: field(duration, 'How long pressure is reported after it is over.', '5m0s'),
  evictionMaxPodGracePeriod: field(int32, 'Seconds a pod gets to end in a soft eviction.', 0),
  evictionMinimumReclaim: field(z.optional(texts), 'What an eviction frees at least.'),
  podsPerCore: field(count, 'Pods per processor; 0 means no limit.', 0),
  enableControllerAttachDetach: field(flag, 'Whether the cloud attaches volumes rather than the node.', true),
  protectKernelDefaults: field(flag, 'Whether to fail where kernel settings differ, instead of changing them.', false),
  makeIPTablesUtilChains: field(flag, 'Whether the hint chain is made in iptables.', true),
  iptablesMasqueradeBit: field(count, 'Without effect in Kubernetes too.', 14),
  iptablesDropBit: field(count, 'Without effect in Kubernetes too.', 15),
  featureGates: field(z.optional(switches), "Kubernetes' own feature switches."),
  failSwapOn: field(flag, 'Whether to refuse to start on a machine with swap.', false),
  memorySwap: field(z.strictObject({ swapBehavior: field(z.optional(text), 'Which containers may swap.') }), 'Swap for containers.'),
  containerLogMaxSize: field(logSize, 'Size at which a container log is rotated; zero or less disables rotation.', '10Mi'),
  containerLogMaxFiles: field(count, 'Log files kept of an instance of a container; fewer than 2 count as 2.', 5),
  containerLogMaxWorkers: field(positive, 'Logs rotated at a time.', 1),
  containerLogMonitorInterval: field(duration, 'How often logs are checked, at most once a second.', '10s'),
  configMapAndSecretChangeDetectionStrategy: field(z.enum(['Get', 'Cache', 'Watch']), 'How changes of config maps and secrets are noticed.', 'Get'),
  systemReserved: field(z.optional(texts), 'Resources kept for the system.'),
  kubeReserved: field(z.optional(texts), 'Resources kept for Kubernetes.'),
  reservedSystemCPUs: field(z.optional(text), 'Processors kept for the system.'),
  showHiddenMetricsForVersion: field(z.optional(text), 'A version whose hidden metrics are shown.'),
  systemReservedCgroup: field(z.optional(text), 'The control group the system is held in.'),
  kubeReservedCgroup: field(z.optional(text), 'The control group Kubernetes is held in.'),
  enforceNodeAllocatable: field(textList, 'Which of those reservations are enforced.', ({ os }) => (os === 'linux' ? ['pods'] : [])),
  allowedUnsafeSysctls: field(z.optional(textList), 'Kernel settings pods may change.'),
  volumePluginDir: field(text, 'The folder of volume plugins.', ({ paths }) => paths.volumePlugins),
  kernelMemcgNotification: field(flag, 'Whether the kernel notifies about memory pressure, instead of being polled.', false),
  logging: field(Logging, "The kubelet's log."),
  enableSystemLogHandler: field(flag, 'Whether the local server offers the logs of the system.', true),
  enableSystemLogQuery: field(z.optional(flag), 'Whether those can be searched.'),
  shutdownGracePeriod: field(duration, 'How long a shutdown of the machine waits for pods.', '0s'),
  shutdownGracePeriodCriticalPods: field(duration, 'The part of it that is for critical pods.', '0s'),
  shutdownGracePeriodByPodPriority: field(z.optional(z.array(z.strictObject({ priority: int32, shutdownGracePeriodSeconds: z.int() }))), 'The same, by priority.'),
  reservedMemory: field(z.optional(z.array(z.strictObject({ numaNode: count, limits: texts }))), 'Memory kept back, by NUMA node.'),
  enableProfilingHandler: field(flag, 'Whether the local server offers profiles.', true),
  enableDebugFlagsHandler: field(flag, 'Whether the local server allows changes of the log level.', true),
  seccompDefault: field(flag, "Whether containers get the runtime's seccomp profile unless they ask for another.", false),
  memoryThrottlingFactor: field(z.number().check(z.gt(0), z.maximum(1)), 'The share of its limit at which a container is slowed down.', 0.9),
  registerWithTaints: field(z.optional(z.array(Taint)), 'Taints the node registers with.'),
  registerNode: field(flag, 'Whether the agent makes the Node object.', true),
  localStorageCapacityIsolation: field(flag, 'Whether local storage is limited like memory.', true),
  containerRuntimeEndpoint: field(text, 'Where the container runtime is.', ({ paths }) => paths.runtimeEndpoint),
  imageServiceEndpoint: field(text, 'Where the image service is.', ({ paths }) => paths.runtimeEndpoint),
  failCgroupV1: field(flag, 'Whether to refuse to start with the first version of control groups.', false),
  crashLoopBackOff: field(z.strictObject({ maxContainerRestartPeriod: field(z.optional(duration), 'The longest pause between two restarts.') }), 'How restarts of failing containers are spaced.'),
});

/** `modules.edged`: the node and its pods. */
export const Edged = z.strictObject({
  enable: field(flag, 'Whether pods are run.', true),
  reportEvent: field(flag, 'Whether events about pods go to the cloud.', false),
  hostnameOverride: field(nodeName, "The node's name. Empty: the machine's name in lower case.", ({ hostName }) =>
    hostName.toLowerCase(),
  ),
  nodeIP: field(text, "The node's address. Empty: the one that reaches the cloud.", ''),
  customInterfaceName: field(text, 'The network interface with the address of the node; overrides nodeIP.', ''),
  registerNodeNamespace: field(text, 'The namespace upstream registers the node under.', 'default'),
  rootDirectory: field(text, 'The folder of volumes and other state of pods.', ({ paths }) => paths.kubeletRoot),
  podSandboxImage: field(text, 'The image that holds the network of a pod.', 'kubeedge/pause:3.6'),
  runtimeCgroups: field(text, 'The control group of the container runtime.', ''),
  maxContainerCount: field(int32, 'Dead containers kept on the node; -1 means no limit.', -1),
  maxPerPodContainerCount: field(int32, 'Dead instances kept of each container.', 1),
  minimumGCAge: field(duration, 'How long a dead container is kept at least.', '0s'),
  nodeLabels: field(labels, 'Labels the node registers with.', {}),
  registerSchedulable: field(flag, 'Whether new pods may be sent to the node from the start.', true),
  keepTerminatedPodVolumes: field(
    flag,
    'Whether volumes of ended pods stay mounted, for looking into problems.',
    false,
  ),
  seccompDefault: field(
    flag,
    "Whether containers get the runtime's seccomp profile unless they ask for another.",
    false,
  ),
  experimentalMounterPath: field(text, 'A program to mount volumes with instead of mount.', ''),
  experimentalNodeAllocatableIgnoreEvictionThreshold: field(
    flag,
    'Whether the eviction thresholds are left out when allocatable resources are counted.',
    false,
  ),
  windowsService: field(flag, 'Whether the agent runs as a Windows service.', ({ os }) => os === 'windows'),
  windowsPriorityClass: field(text, 'The priority class of the process on Windows.', ({ os }) =>
    os === 'windows' ? 'NORMAL_PRIORITY_CLASS' : '',
  ),
  tailoredKubeletConfig: field(KubeletSettings, 'What a kubelet would find in its own configuration file.'),
});
