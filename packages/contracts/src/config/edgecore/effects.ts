import { WORKS, type ConfigNote, type Effects } from '../reading/effects.ts';
import { evictionRemarks } from './check-eviction.ts';
import type { EdgecoreConfig } from './schema.ts';

const PODS = 'this agent does not use it yet';
const KUBELET = 'modules.edged.tailoredKubeletConfig';

/** What does nothing in this agent yet. A part that starts to work leaves this table. */
export const EDGECORE_EFFECTS: Effects = {
  'database.driverName': 'the database is always SQLite',
  'database.aliasName': 'there is one database',
  'modules.edgeHub.quic': 'QUIC is not supported yet; the agent connects by WebSocket',
  'modules.edgeHub.websocket.readDeadline': 'a lost connection is detected by missing heartbeats',
  'modules.edged': PODS,
  'modules.edged.enable': WORKS,
  'modules.edged.rootDirectory': WORKS,
  'modules.edged.maxPerPodContainerCount': WORKS,
  'modules.edged.minimumGCAge': WORKS,
  'modules.edged.reportEvent': WORKS,
  'modules.edged.podSandboxImage': WORKS,
  'modules.edged.seccompDefault': WORKS,
  'modules.edged.hostnameOverride': WORKS,
  'modules.edged.nodeIP': WORKS,
  'modules.edged.customInterfaceName': WORKS,
  'modules.edged.nodeLabels': WORKS,
  'modules.edged.registerSchedulable': WORKS,
  'modules.edged.windowsService': 'the program detects whether it runs as a service',
  'modules.edged.windowsPriorityClass': 'the priority of the process is left to the system',
  [`${KUBELET}.registerNode`]: WORKS,
  [`${KUBELET}.registerWithTaints`]: WORKS,
  [`${KUBELET}.nodeStatusUpdateFrequency`]: WORKS,
  [`${KUBELET}.nodeStatusReportFrequency`]: WORKS,
  [`${KUBELET}.nodeLeaseDurationSeconds`]: WORKS,
  [`${KUBELET}.maxPods`]: WORKS,
  [`${KUBELET}.containerRuntimeEndpoint`]: WORKS,
  [`${KUBELET}.podLogsDir`]: WORKS,
  [`${KUBELET}.staticPodPath`]: WORKS,
  [`${KUBELET}.fileCheckFrequency`]: WORKS,
  [`${KUBELET}.eventRecordQPS`]: WORKS,
  [`${KUBELET}.eventBurst`]: WORKS,
  [`${KUBELET}.clusterDNS`]: WORKS,
  [`${KUBELET}.clusterDomain`]: WORKS,
  [`${KUBELET}.resolvConf`]: WORKS,
  [`${KUBELET}.cgroupDriver`]: WORKS,
  [`${KUBELET}.cgroupsPerQOS`]: WORKS,
  [`${KUBELET}.cpuCFSQuota`]: WORKS,
  [`${KUBELET}.seccompDefault`]: WORKS,
  [`${KUBELET}.serializeImagePulls`]: WORKS,
  [`${KUBELET}.maxParallelImagePulls`]: WORKS,
  [`${KUBELET}.nodeStatusMaxImages`]: WORKS,
  [`${KUBELET}.podsPerCore`]: WORKS,
  [`${KUBELET}.systemReserved`]: WORKS,
  [`${KUBELET}.kubeReserved`]: WORKS,
  [`${KUBELET}.imageMinimumGCAge`]: WORKS,
  [`${KUBELET}.imageMaximumGCAge`]: WORKS,
  [`${KUBELET}.imageGCHighThresholdPercent`]: WORKS,
  [`${KUBELET}.imageGCLowThresholdPercent`]: WORKS,
  [`${KUBELET}.evictionHard`]: WORKS,
  [`${KUBELET}.evictionSoft`]: WORKS,
  [`${KUBELET}.evictionSoftGracePeriod`]: WORKS,
  [`${KUBELET}.evictionPressureTransitionPeriod`]: WORKS,
  [`${KUBELET}.evictionMaxPodGracePeriod`]: WORKS,
  [`${KUBELET}.evictionMinimumReclaim`]: WORKS,
  [`${KUBELET}.localStorageCapacityIsolation`]: WORKS,
  [`${KUBELET}.volumeStatsAggPeriod`]: WORKS,
  [`${KUBELET}.containerLogMaxSize`]: WORKS,
  [`${KUBELET}.containerLogMaxFiles`]: WORKS,
  [`${KUBELET}.containerLogMaxWorkers`]: WORKS,
  [`${KUBELET}.containerLogMonitorInterval`]: WORKS,
  'modules.eventBus': 'devices and MQTT are not supported yet',
  'modules.metaManager.contextSendGroup': 'messages always go through the hub',
  'modules.metaManager.contextSendModule': 'messages always go through the hub',
  'modules.metaManager.metaServer.dummyServer': 'pods get no address for it yet',
  'modules.metaManager.metaServer.tlsCaFile': 'it serves this machine alone, by HTTP',
  'modules.metaManager.metaServer.tlsCertFile': 'it serves this machine alone, by HTTP',
  'modules.metaManager.metaServer.tlsPrivateKeyFile': 'it serves this machine alone, by HTTP',
  'modules.metaManager.metaServer.serviceAccountIssuers': 'callers are not authenticated yet',
  'modules.metaManager.metaServer.apiAudiences': 'callers are not authenticated yet',
  'modules.metaManager.metaServer.serviceAccountKeyFiles': 'callers are not authenticated yet',
  'modules.serviceBus': 'it is not supported yet',
  'modules.deviceTwin': 'devices are not supported yet',
  'modules.dbTest': 'it is a test of upstream',
  'modules.edgeStream': 'logs and exec through the cloud are not supported yet',
  'modules.taskManager': 'tasks from the cloud are not supported yet',
  'modules.streamRuleEndpoint': 'it is not supported yet',
  featureGates: 'what they switch is either always on here or not supported yet',
};

/** What an operator may not have meant, although it does what it says. */
export function edgecoreRemarks({ modules }: EdgecoreConfig): readonly ConfigNote[] {
  const { edgeHub, edged } = modules;
  const unconnected = {
    path: 'modules.edgeHub.enable',
    reason: 'it is false, so this node never connects to the cloud',
  };
  return [...(edgeHub.enable ? [] : [unconnected]), ...(edged.enable ? podRemarks(edged.tailoredKubeletConfig) : [])];
}

function podRemarks(settings: EdgecoreConfig['modules']['edged']['tailoredKubeletConfig']): readonly ConfigNote[] {
  const unrotated = { path: `${KUBELET}.containerLogMaxFiles`, reason: 'rotation needs 2 files, so 2 are kept' };
  return [...(settings.containerLogMaxFiles < 2 ? [unrotated] : []), ...evictionRemarks(KUBELET, settings)];
}
