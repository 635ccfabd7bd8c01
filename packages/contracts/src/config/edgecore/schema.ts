import * as z from 'zod/mini';
import {
  count,
  duration,
  hostPort,
  httpsUrl,
  int32,
  labels,
  nodeName,
  port,
  positive,
  switches,
  textList,
} from '../scalars.ts';
import { KubeletSettings } from './kubelet-schema.ts';

/** What `edgecore.yaml` says of its own version. */
export const EDGECORE_API_VERSION = 'edgecore.config.kubeedge.io/v1alpha2';

const Database = z.strictObject({ driverName: z.string(), aliasName: z.string(), dataSource: z.string() });

const HubConnection = z.strictObject({
  enable: z.boolean(),
  handshakeTimeout: count,
  readDeadline: count,
  writeDeadline: count,
  server: hostPort,
});

const EdgeHub = z.strictObject({
  enable: z.boolean(),
  heartbeat: positive,
  messageQPS: count,
  messageBurst: count,
  projectID: z.string(),
  tlsCaFile: z.string(),
  tlsCertFile: z.string(),
  tlsPrivateKeyFile: z.string(),
  httpServer: httpsUrl,
  token: z.string(),
  rotateCertificates: z.boolean(),
  websocket: HubConnection,
  quic: HubConnection,
});

const Edged = z.strictObject({
  enable: z.boolean(),
  reportEvent: z.boolean(),
  hostnameOverride: nodeName,
  nodeIP: z.string(),
  customInterfaceName: z.string(),
  registerNodeNamespace: z.string(),
  rootDirectory: z.string(),
  podSandboxImage: z.string(),
  runtimeCgroups: z.string(),
  maxContainerCount: int32,
  maxPerPodContainerCount: int32,
  minimumGCAge: duration,
  nodeLabels: labels,
  registerSchedulable: z.boolean(),
  keepTerminatedPodVolumes: z.boolean(),
  seccompDefault: z.boolean(),
  experimentalMounterPath: z.string(),
  experimentalNodeAllocatableIgnoreEvictionThreshold: z.boolean(),
  windowsService: z.boolean(),
  windowsPriorityClass: z.string(),
  tailoredKubeletConfig: KubeletSettings,
});

const EventBus = z.strictObject({
  enable: z.boolean(),
  mqttQOS: z.int().check(z.minimum(0), z.maximum(2)),
  mqttRetain: z.boolean(),
  mqttSessionQueueSize: count,
  mqttServerInternal: z.string(),
  mqttServerExternal: z.string(),
  mqttSubClientID: z.string(),
  mqttPubClientID: z.string(),
  mqttUsername: z.string(),
  mqttPassword: z.string(),
  mqttMode: z.int().check(z.minimum(0), z.maximum(2)),
  eventBusTLS: z.strictObject({
    enable: z.boolean(),
    tlsMqttCAFile: z.string(),
    tlsMqttCertFile: z.string(),
    tlsMqttPrivateKeyFile: z.string(),
  }),
});

const MetaManager = z.strictObject({
  enable: z.boolean(),
  contextSendGroup: z.string(),
  contextSendModule: z.string(),
  remoteQueryTimeout: count,
  metaServer: z.strictObject({
    enable: z.boolean(),
    server: hostPort,
    dummyServer: hostPort,
    tlsCaFile: z.string(),
    tlsCertFile: z.string(),
    tlsPrivateKeyFile: z.string(),
    serviceAccountIssuers: textList,
    apiAudiences: z.optional(textList),
    serviceAccountKeyFiles: z.optional(textList),
  }),
});

const ServiceBus = z.strictObject({
  enable: z.boolean(),
  server: z.string(),
  port,
  timeout: count,
  tlsCertFile: z.optional(z.string()),
  tlsPrivateKeyFile: z.optional(z.string()),
});

const Tunnel = z.strictObject({
  enable: z.boolean(),
  tlsTunnelCAFile: z.string(),
  tlsTunnelCertFile: z.string(),
  tlsTunnelPrivateKeyFile: z.string(),
  handshakeTimeout: count,
  readDeadline: count,
  writeDeadline: count,
  server: hostPort,
});

const Switch = z.strictObject({ enable: z.boolean() });

/**
 * `edgecore.yaml` v1alpha2 after the defaults were filled in: every field of KubeEdge v1.23, in its spelling.
 * What has no default is optional here; in the file everything is.
 */
export const EdgecoreConfig = z.strictObject({
  apiVersion: z.literal(EDGECORE_API_VERSION),
  kind: z.literal('EdgeCore'),
  database: Database,
  modules: z.strictObject({
    edgeHub: EdgeHub,
    edged: Edged,
    eventBus: EventBus,
    metaManager: MetaManager,
    serviceBus: ServiceBus,
    deviceTwin: z.strictObject({ enable: z.boolean(), dmiSockPath: z.string() }),
    dbTest: Switch,
    edgeStream: Tunnel,
    taskManager: Switch,
    /** Newer than v1.23: known so that a newer file is not refused. */
    streamRuleEndpoint: z.optional(Tunnel),
  }),
  featureGates: switches,
  edgecoreVersion: z.string(),
});

/** A complete and checked `edgecore.yaml`. */
export type EdgecoreConfig = z.infer<typeof EdgecoreConfig>;
