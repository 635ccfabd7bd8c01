import type { EdgecoreConfig } from './schema.ts';
import { edgePaths, type NodeOs } from './edge-paths.ts';

type KubeletSettings = EdgecoreConfig['modules']['edged']['tailoredKubeletConfig'];

/** KubeEdge's defaults of `tailoredKubeletConfig` on this system. */
export function kubeletDefaults(os: NodeOs): KubeletSettings {
  return { ...serving(), ...nodeStatus(), ...pods(), ...limits(), ...eviction(), ...housekeeping(), ...bySystem(os) };
}

function serving() {
  return {
    podLogsDir: '/var/log/pods',
    syncFrequency: '1m0s',
    fileCheckFrequency: '20s',
    address: '127.0.0.1',
    readOnlyPort: 10350,
    enableDebuggingHandlers: true,
    enableContentionProfiling: false,
    enableSystemLogHandler: true,
    enableProfilingHandler: true,
    enableDebugFlagsHandler: true,
    streamingConnectionIdleTimeout: '4h0m0s',
    contentType: 'application/json',
    logging: {
      format: 'text',
      flushFrequency: '5s',
      verbosity: 0,
      options: { text: { infoBufferSize: '0' }, json: { infoBufferSize: '0' } },
    },
  };
}

function nodeStatus() {
  return {
    nodeStatusUpdateFrequency: '10s',
    nodeStatusReportFrequency: '5m0s',
    nodeLeaseDurationSeconds: 40,
    nodeStatusMaxImages: 0,
    eventRecordQPS: 50,
    eventBurst: 100,
    registerNode: true,
    enableControllerAttachDetach: true,
    localStorageCapacityIsolation: true,
  };
}

function pods() {
  return {
    clusterDomain: 'cluster.local',
    clusterDNS: [],
    runtimeRequestTimeout: '2m0s',
    hairpinMode: 'promiscuous-bridge',
    maxPods: 110,
    podsPerCore: 0,
    podCIDR: '',
    podPidsLimit: -1,
    registryPullQPS: 5,
    registryBurst: 10,
    serializeImagePulls: true,
    seccompDefault: false,
    configMapAndSecretChangeDetectionStrategy: 'Get' as const,
    shutdownGracePeriod: '0s',
    shutdownGracePeriodCriticalPods: '0s',
    crashLoopBackOff: {},
  };
}

function limits() {
  return {
    oomScoreAdj: -999,
    kubeletCgroups: '',
    systemCgroups: '',
    cgroupRoot: '',
    cpuManagerPolicy: 'none',
    cpuManagerReconcilePeriod: '10s',
    memoryManagerPolicy: 'None',
    topologyManagerPolicy: 'none',
    topologyManagerScope: 'container',
    cpuCFSQuotaPeriod: '100ms',
    maxOpenFiles: 1_000_000,
    protectKernelDefaults: false,
    makeIPTablesUtilChains: true,
    iptablesMasqueradeBit: 14,
    iptablesDropBit: 15,
    failSwapOn: false,
    memorySwap: {},
    memoryThrottlingFactor: 0.9,
    failCgroupV1: false,
  };
}

function eviction() {
  return {
    evictionPressureTransitionPeriod: '5m0s',
    evictionMaxPodGracePeriod: 0,
    kernelMemcgNotification: false,
  };
}

function housekeeping() {
  return {
    imageMinimumGCAge: '2m0s',
    imageMaximumGCAge: '0s',
    imageGCHighThresholdPercent: 85,
    imageGCLowThresholdPercent: 80,
    volumeStatsAggPeriod: '1m0s',
    containerLogMaxSize: '10Mi',
    containerLogMaxFiles: 5,
    containerLogMaxWorkers: 1,
    containerLogMonitorInterval: '10s',
  };
}

function bySystem(os: NodeOs) {
  const { staticPods, volumePlugins, runtimeEndpoint } = edgePaths(os);
  const linux = os === 'linux';
  return {
    staticPodPath: staticPods,
    volumePluginDir: volumePlugins,
    containerRuntimeEndpoint: runtimeEndpoint,
    imageServiceEndpoint: runtimeEndpoint,
    cgroupsPerQOS: linux,
    cgroupDriver: linux ? 'cgroupfs' : '',
    resolvConf: linux ? '/etc/resolv.conf' : '',
    cpuCFSQuota: linux,
    enforceNodeAllocatable: linux ? ['pods'] : [],
    evictionHard: linux ? { ...LINUX_EVICTION } : { ...WINDOWS_EVICTION },
  };
}

const LINUX_EVICTION = {
  'memory.available': '100Mi',
  'nodefs.available': '10%',
  'nodefs.inodesFree': '5%',
  'imagefs.available': '15%',
  'imagefs.inodesFree': '5%',
};

const WINDOWS_EVICTION = {
  'memory.available': '500Mi',
  'nodefs.available': '10%',
  'imagefs.available': '15%',
};
