import * as z from 'zod/mini';
import { count, hostPort, port, portOrNone, positive, switches, textList } from '../scalars.ts';
import { EdgeController } from './edge-controller-schema.ts';

/** What `cloudcore.yaml` says of its own version: upstream's program writes the first, its Helm chart the second. */
export const CLOUDCORE_API_VERSIONS = [
  'cloudcore.config.kubeedge.io/v1alpha1',
  'cloudcore.config.kubeedge.io/v1alpha2',
] as const;

const CommonConfig = z.strictObject({
  tunnelPort: portOrNone,
  monitorServer: z.strictObject({ bindAddress: hostPort, enableProfiling: z.boolean() }),
});

const KubeAPIConfig = z.strictObject({
  master: z.string(),
  kubeConfig: z.string().check(z.regex(/^$|^\/|^[A-Za-z]:[\\/]/, 'must be an absolute path, or empty')),
  contentType: z.string(),
  qps: positive,
  burst: positive,
});

const Listener = z.strictObject({ enable: z.boolean(), address: z.string(), port });

const CloudHub = z.strictObject({
  enable: z.boolean(),
  keepaliveInterval: positive,
  nodeLimit: positive,
  tlsCAFile: z.string(),
  tlsCAKeyFile: z.string(),
  tlsCertFile: z.string(),
  tlsPrivateKeyFile: z.string(),
  writeTimeout: count,
  websocket: Listener,
  https: Listener,
  quic: z.strictObject({ ...Listener.shape, maxIncomingStreams: count }),
  unixsocket: z.strictObject({
    enable: z.boolean(),
    address: z.string().check(z.regex(/^unix:\/\//i, 'must begin with "unix://"')),
  }),
  advertiseAddress: textList,
  dnsNames: textList,
  edgeCertSigningDuration: positive,
  tokenRefreshDuration: positive,
  authorization: z.strictObject({
    enable: z.boolean(),
    debug: z.boolean(),
    modes: z.array(z.strictObject({ node: z.optional(z.strictObject({ enable: z.boolean() })) })),
  }),
});

const DeviceController = z.strictObject({
  enable: z.boolean(),
  buffer: z.strictObject({
    updateDeviceTwins: count,
    updateDeviceStatus: count,
    deviceEvent: count,
    deviceModelEvent: count,
    deviceStatusEvent: z.optional(count),
  }),
  load: z.strictObject({ updateDeviceStatusWorkers: count }),
});

const TaskManager = z.strictObject({
  enable: z.boolean(),
  buffer: z.strictObject({ taskStatus: count, taskEvent: count }),
  load: z.strictObject({ taskWorkers: count }),
});

const CloudStream = z.strictObject({
  enable: z.boolean(),
  tlsTunnelCAFile: z.string(),
  tlsTunnelCertFile: z.string(),
  tlsTunnelPrivateKeyFile: z.string(),
  tunnelPort: port,
  tlsStreamCAFile: z.string(),
  tlsStreamCertFile: z.string(),
  tlsStreamPrivateKeyFile: z.string(),
  streamPort: port,
});

const Switch = z.strictObject({ enable: z.boolean() });

/**
 * `cloudcore.yaml` after the defaults were filled in: every field of KubeEdge v1.23, in its spelling.
 * What has no default is optional here; in the file everything is.
 */
export const CloudcoreConfig = z.strictObject({
  apiVersion: z.enum(CLOUDCORE_API_VERSIONS),
  kind: z.literal('CloudCore'),
  commonConfig: CommonConfig,
  kubeAPIConfig: KubeAPIConfig,
  modules: z.strictObject({
    cloudHub: CloudHub,
    edgeController: EdgeController,
    deviceController: DeviceController,
    taskManager: TaskManager,
    syncController: Switch,
    dynamicController: Switch,
    cloudStream: CloudStream,
    router: z.strictObject({ ...Listener.shape, restTimeout: count }),
    iptablesManager: z.strictObject({ enable: z.boolean(), mode: z.enum(['internal', 'external']) }),
  }),
  featureGates: switches,
});

/** A complete and checked `cloudcore.yaml`. */
export type CloudcoreConfig = z.infer<typeof CloudcoreConfig>;
