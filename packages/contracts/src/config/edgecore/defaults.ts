import { edgePaths, type EdgePaths, type NodeOs } from './edge-paths.ts';
import { kubeletDefaults } from './kubelet-defaults.ts';
import { EDGECORE_API_VERSION, type EdgecoreConfig } from './schema.ts';

type Modules = EdgecoreConfig['modules'];

/** What the defaults take from the machine rather than from its system. */
export interface EdgeHost {
  /** The machine's name; empty leaves the choice to the agent, which takes the machine's name in lower case. */
  readonly hostName: string;
  /** The address the cloud is expected at, without a port. */
  readonly cloudAddress: string;
}

/** No machine in particular. */
export const ANY_EDGE_HOST: EdgeHost = { hostName: '', cloudAddress: '127.0.0.1' };

/** KubeEdge's defaults for a node on this system: what `edgecore.yaml` means when it says nothing. */
export function edgecoreDefaults(os: NodeOs, host: EdgeHost = ANY_EDGE_HOST): EdgecoreConfig {
  const paths = edgePaths(os);
  return {
    apiVersion: EDGECORE_API_VERSION,
    kind: 'EdgeCore',
    database: { driverName: 'sqlite3', aliasName: 'default', dataSource: paths.database },
    modules: {
      edgeHub: edgeHub(paths, host),
      edged: edged(os, host),
      eventBus: eventBus(paths),
      metaManager: metaManager(paths),
      serviceBus: { enable: false, server: '127.0.0.1', port: 9060, timeout: 60 },
      deviceTwin: { enable: true, dmiSockPath: paths.base },
      dbTest: { enable: false },
      edgeStream: edgeStream(paths),
      taskManager: { enable: false },
    },
    featureGates: {},
    edgecoreVersion: '',
  };
}

function edgeHub(paths: EdgePaths, { cloudAddress }: EdgeHost): Modules['edgeHub'] {
  const deadlines = { handshakeTimeout: 30, readDeadline: 15, writeDeadline: 15 };
  return {
    enable: true,
    heartbeat: 15,
    messageQPS: 30,
    messageBurst: 60,
    projectID: 'e632aba927ea4ac2b575ec1603d56f10',
    ...tlsFiles(paths),
    httpServer: `https://${at(cloudAddress, 10002)}`,
    token: '',
    rotateCertificates: true,
    websocket: { enable: true, ...deadlines, server: at(cloudAddress, 10000) },
    quic: { enable: false, ...deadlines, server: at(cloudAddress, 10001) },
  };
}

function edged(os: NodeOs, { hostName }: EdgeHost): Modules['edged'] {
  return {
    enable: true,
    reportEvent: false,
    hostnameOverride: hostName.toLowerCase(),
    nodeIP: '',
    customInterfaceName: '',
    registerNodeNamespace: 'default',
    rootDirectory: edgePaths(os).kubeletRoot,
    podSandboxImage: 'kubeedge/pause:3.6',
    runtimeCgroups: '',
    maxContainerCount: -1,
    maxPerPodContainerCount: 1,
    minimumGCAge: '0s',
    nodeLabels: {},
    registerSchedulable: true,
    keepTerminatedPodVolumes: false,
    seccompDefault: false,
    experimentalMounterPath: '',
    experimentalNodeAllocatableIgnoreEvictionThreshold: false,
    windowsService: os === 'windows',
    windowsPriorityClass: os === 'windows' ? 'NORMAL_PRIORITY_CLASS' : '',
    tailoredKubeletConfig: kubeletDefaults(os),
  };
}

function eventBus({ caFile, certFile, keyFile }: EdgePaths): Modules['eventBus'] {
  return {
    enable: true,
    mqttQOS: 0,
    mqttRetain: false,
    mqttSessionQueueSize: 100,
    mqttServerInternal: 'tcp://127.0.0.1:1884',
    mqttServerExternal: 'tcp://127.0.0.1:1883',
    mqttSubClientID: '',
    mqttPubClientID: '',
    mqttUsername: '',
    mqttPassword: '',
    mqttMode: 2,
    eventBusTLS: {
      enable: false,
      tlsMqttCAFile: caFile,
      tlsMqttCertFile: certFile,
      tlsMqttPrivateKeyFile: keyFile,
    },
  };
}

function metaManager(paths: EdgePaths): Modules['metaManager'] {
  return {
    enable: true,
    contextSendGroup: 'hub',
    contextSendModule: 'websocket',
    remoteQueryTimeout: 60,
    metaServer: {
      enable: false,
      server: '127.0.0.1:10550',
      dummyServer: '169.254.30.10:10550',
      ...tlsFiles(paths),
      serviceAccountIssuers: ['https://kubernetes.default.svc.cluster.local'],
    },
  };
}

function edgeStream({ caFile, certFile, keyFile }: EdgePaths): Modules['edgeStream'] {
  return {
    enable: false,
    tlsTunnelCAFile: caFile,
    tlsTunnelCertFile: certFile,
    tlsTunnelPrivateKeyFile: keyFile,
    handshakeTimeout: 30,
    readDeadline: 15,
    writeDeadline: 15,
    server: '127.0.0.1:10004',
  };
}

function tlsFiles({ caFile, certFile, keyFile }: EdgePaths) {
  return { tlsCaFile: caFile, tlsCertFile: certFile, tlsPrivateKeyFile: keyFile };
}

function at(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}
