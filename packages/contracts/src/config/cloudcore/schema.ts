import * as z from 'zod/mini';
import { CA_FILE, CERT_FILE, field, KEY_FILE } from '../fields.ts';
import { count, flag, hostPort, port, portOrNone, positive, switches, text, textList } from '../scalars.ts';
import { EdgeController, NODE_LIMIT } from './edge-controller.ts';

/** What `cloudcore.yaml` says of its version: upstream's program writes the first, its Helm chart the second. */
export const CLOUDCORE_API_VERSIONS = [
  'cloudcore.config.kubeedge.io/v1alpha1',
  'cloudcore.config.kubeedge.io/v1alpha2',
] as const;

const MonitorServer = z.strictObject({
  bindAddress: field(hostPort, 'Address and port it listens on.', '127.0.0.1:9091'),
  enableProfiling: field(flag, 'Whether it offers profiles too.', false),
});

const CommonConfig = z.strictObject({
  tunnelPort: field(portOrNone, 'The port nodes are reached at for logs and exec.', 10350),
  monitorServer: field(MonitorServer, 'The server for metrics and health.'),
});

const pathOrNone = text.check(z.regex(/^$|^\/|^[A-Za-z]:[\\/]/, 'must be an absolute path, or empty'));

const KubeAPIConfig = z.strictObject({
  master: field(text, "The API server's address, where it is not the kubeconfig's.", ''),
  kubeConfig: field(pathOrNone, 'The kubeconfig file, absolute. Empty: the service account of the pod.', ''),
  contentType: field(text, 'The encoding of requests.', 'application/vnd.kubernetes.protobuf'),
  qps: field(positive, 'Requests per second, on average.', 5 * NODE_LIMIT),
  burst: field(positive, 'Requests that may go at once.', 10 * NODE_LIMIT),
});

function listener(enable: boolean, number: number) {
  return z.strictObject({
    enable: field(flag, 'Whether it listens.', enable),
    address: field(text, 'The address it listens on.', '0.0.0.0'),
    port: field(port, 'The port it listens on.', number),
  });
}

const Quic = z.strictObject({
  ...listener(false, 10001).shape,
  maxIncomingStreams: field(count, 'Streams one node may open.', 10000),
});

const UnixSocket = z.strictObject({
  enable: field(flag, 'Whether it is there.', true),
  address: field(
    text.check(z.regex(/^unix:\/\//i, 'must begin with "unix://"')),
    'Where it is.',
    'unix:///var/lib/kubeedge/kubeedge.sock',
  ),
});

const Modes = z.array(z.strictObject({ node: z.optional(z.strictObject({ enable: flag })) }));
const Authorization = z.strictObject({
  enable: field(flag, 'Whether it is checked.', false),
  debug: field(flag, 'Whether a refusal is only logged.', true),
  modes: field(Modes, 'How it is checked.', [{ node: { enable: true } }]),
});

const CloudHub = z.strictObject({
  enable: field(flag, 'Whether nodes can connect at all.', true),
  keepaliveInterval: field(positive, 'Seconds without a heartbeat after which a node counts as NotReady.', 30),
  nodeLimit: field(positive, 'Nodes this cloudcore takes.', NODE_LIMIT),
  tlsCAFile: field(text, "The CA's certificate, where it is not in the cluster's secret.", CA_FILE),
  tlsCAKeyFile: field(text, 'The key of the CA.', '/etc/kubeedge/ca/rootCA.key'),
  tlsCertFile: field(text, "The hub's own certificate.", CERT_FILE),
  tlsPrivateKeyFile: field(text, 'The key of that certificate.', KEY_FILE),
  writeTimeout: field(count, 'Seconds for a message to leave; KubeEdge ignores it.', 30),
  websocket: field(listener(true, 10000), 'Nodes by WebSocket.'),
  https: field(listener(true, 10002), 'Where nodes ask for certificates.'),
  quic: field(Quic, 'Nodes by QUIC.'),
  unixsocket: field(UnixSocket, 'The socket for volume drivers.'),
  advertiseAddress: field(textList, "Addresses nodes use; they go into the hub's certificate.", []),
  dnsNames: field(textList, "Names nodes use; they go into the hub's certificate.", ['']),
  edgeCertSigningDuration: field(positive, "Days a node's certificate is valid.", 365),
  tokenRefreshDuration: field(positive, 'Hours after which a new join token is made.', 12),
  authorization: field(Authorization, 'What a node may do.'),
});

const DeviceBuffer = z.strictObject({
  updateDeviceTwins: field(count, 'Queue of device twins.', 1024),
  updateDeviceStatus: field(count, 'Queue of device status.', 1024),
  deviceEvent: field(count, 'Queue of changes of devices.', 1),
  deviceModelEvent: field(count, 'Queue of changes of device models.', 1),
  deviceStatusEvent: field(z.optional(count), 'Queue of changes of device status.'),
});

const DeviceController = z.strictObject({
  enable: field(flag, 'Whether it runs.', true),
  buffer: field(DeviceBuffer, 'Lengths of the queues.'),
  load: field(
    z.strictObject({ updateDeviceStatusWorkers: field(count, 'Workers for device status.', 1) }),
    'Numbers of workers.',
  ),
});

const TaskManager = z.strictObject({
  enable: field(flag, 'Whether it runs; the nodes need their own switch too.', false),
  buffer: field(
    z.strictObject({
      taskStatus: field(count, 'Queue of task status.', 1024),
      taskEvent: field(count, 'Queue of changes of tasks.', 1),
    }),
    'Lengths of the queues.',
  ),
  load: field(z.strictObject({ taskWorkers: field(count, 'Workers for tasks.', 1) }), 'Numbers of workers.'),
});

const CloudStream = z.strictObject({
  enable: field(flag, 'Whether it runs.', false),
  tlsTunnelCAFile: field(text, 'The CA nodes are checked against.', CA_FILE),
  tlsTunnelCertFile: field(text, 'The certificate nodes see.', CERT_FILE),
  tlsTunnelPrivateKeyFile: field(text, 'The key of that certificate.', KEY_FILE),
  tunnelPort: field(port, 'The port nodes connect to.', 10004),
  tlsStreamCAFile: field(text, 'The CA the API server is checked against.', '/etc/kubeedge/ca/streamCA.crt'),
  tlsStreamCertFile: field(text, 'The certificate the API server sees.', '/etc/kubeedge/certs/stream.crt'),
  tlsStreamPrivateKeyFile: field(text, 'The key of that certificate.', '/etc/kubeedge/certs/stream.key'),
  streamPort: field(port, 'The port the API server connects to.', 10003),
});

const Router = z.strictObject({
  ...listener(false, 9443).shape,
  restTimeout: field(count, 'Seconds to wait for an answer.', 60),
});

const IptablesManager = z.strictObject({
  enable: field(flag, 'Whether it runs.', true),
  mode: field(z.enum(['internal', 'external']), 'Whether it runs inside cloudcore or beside it.', 'internal'),
});

const Modules = z.strictObject({
  cloudHub: field(CloudHub, 'What nodes connect to.'),
  edgeController: field(EdgeController, 'Pods, config maps, secrets, nodes and leases between the API and the nodes.'),
  deviceController: field(DeviceController, 'Devices between the API and the nodes.'),
  taskManager: field(TaskManager, 'Tasks for nodes: upgrade, pulling images, a new configuration.'),
  syncController: field(runs(true), 'Compares what each node has with what it should have, and sends what is missing.'),
  dynamicController: field(runs(false), 'Lets pods on nodes read and watch the API through the cloud.'),
  cloudStream: field(CloudStream, 'The tunnel for logs, exec and metrics from nodes.'),
  router: field(Router, 'Passes messages between HTTP in the cloud and nodes, by rules.'),
  iptablesManager: field(IptablesManager, "Turns the API server's calls to nodes towards the tunnel."),
});

function runs(enable: boolean) {
  return z.strictObject({ enable: field(flag, 'Whether it runs.', enable) });
}

/**
 * `cloudcore.yaml` after the defaults were filled in: every field of KubeEdge v1.23, in its spelling.
 * What has no default is optional here; in the file everything is.
 */
export const CloudcoreConfig = z.strictObject({
  apiVersion: field(z.enum(CLOUDCORE_API_VERSIONS), 'The version of this file.', CLOUDCORE_API_VERSIONS[0]),
  kind: field(z.literal('CloudCore'), 'The kind of this file.', 'CloudCore'),
  commonConfig: field(CommonConfig, 'What several parts share.'),
  kubeAPIConfig: field(KubeAPIConfig, 'The Kubernetes API.'),
  modules: field(Modules, 'The parts of cloudcore, each with its own switch.'),
  featureGates: field(switches, 'Feature gates.', {}),
});

/** A complete and checked `cloudcore.yaml`. */
export type CloudcoreConfig = z.infer<typeof CloudcoreConfig>;
