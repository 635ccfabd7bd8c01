import * as z from 'zod/mini';
import { CA_FILE, CERT_FILE, field, KEY_FILE } from '../fields.ts';
import { count, flag, hostPort, httpsUrl, port, positive, switches, text, textList } from '../scalars.ts';
import { Edged } from './edged.ts';

/** What `edgecore.yaml` says of its version. */
export const EDGECORE_API_VERSION = 'edgecore.config.kubeedge.io/v1alpha2';

const Database = z.strictObject({
  driverName: field(text, 'The kind of database.', 'sqlite3'),
  aliasName: field(text, 'A name for the database.', 'default'),
  dataSource: field(text, 'The file of the database.', ({ paths }) => paths.database),
});

/** One of the ways in which the hub is reached. */
function hubConnection(enable: boolean, number: number) {
  return z.strictObject({
    enable: field(flag, 'Whether the hub is reached this way; exactly one way may be on.', enable),
    handshakeTimeout: field(count, 'Seconds to wait for the connection to open.', 30),
    readDeadline: field(count, 'Seconds to wait for data; KubeEdge ignores it for WebSocket.', 15),
    writeDeadline: field(count, 'Seconds to wait for a message to leave.', 15),
    server: field(hostPort, 'Host and port of the hub.', ({ cloudAddress }) => at(cloudAddress, number)),
  });
}

const EdgeHub = z.strictObject({
  enable: field(flag, 'Whether the node connects to the cloud at all.', true),
  heartbeat: field(positive, 'Seconds between two signs of life to the cloud.', 15),
  messageQPS: field(count, 'Messages per second to the cloud, on average.', 30),
  messageBurst: field(count, 'Messages that may go at once before the average counts.', 60),
  projectID: field(
    text,
    'The project this node belongs to; part of the address it connects to.',
    'e632aba927ea4ac2b575ec1603d56f10',
  ),
  tlsCaFile: field(text, "The CA's certificate; fetched at the first start and checked against the token.", CA_FILE),
  tlsCertFile: field(text, "The node's certificate; requested at the first start.", CERT_FILE),
  tlsPrivateKeyFile: field(text, 'The key of that certificate; made on the node and never sent.', KEY_FILE),
  httpServer: field(
    httpsUrl,
    'The address for certificate requests.',
    ({ cloudAddress }) => `https://${at(cloudAddress, 10002)}`,
  ),
  token: field(text, 'The join token. Needed until the node has its certificate.', ''),
  rotateCertificates: field(flag, 'Whether a certificate is renewed before it ends.', true),
  websocket: field(hubConnection(true, 10000), 'The hub by WebSocket.'),
  quic: field(hubConnection(false, 10001), 'The hub by QUIC.'),
});

const BrokerTls = z.strictObject({
  enable: field(flag, 'Whether TLS is used.', false),
  tlsMqttCAFile: field(text, 'The CA the broker is checked against.', CA_FILE),
  tlsMqttCertFile: field(text, "The agent's certificate for the broker.", CERT_FILE),
  tlsMqttPrivateKeyFile: field(text, 'The key of that certificate.', KEY_FILE),
});

const upToTwo = z.int().check(z.minimum(0), z.maximum(2));

const EventBus = z.strictObject({
  enable: field(flag, 'Whether it runs.', true),
  mqttQOS: field(upToTwo, 'How surely a message arrives: 0 at most once, 1 at least once, 2 exactly once.', 0),
  mqttRetain: field(flag, 'Whether the broker keeps the last message of a topic.', false),
  mqttSessionQueueSize: field(count, 'Sessions the internal broker handles.', 100),
  mqttServerInternal: field(text, 'Where the internal broker listens.', 'tcp://127.0.0.1:1884'),
  mqttServerExternal: field(text, 'Where the external broker is.', 'tcp://127.0.0.1:1883'),
  mqttSubClientID: field(text, 'The client name for receiving. Empty: a made-up one.', ''),
  mqttPubClientID: field(text, 'The client name for sending. Empty: a made-up one.', ''),
  mqttUsername: field(text, 'The user name at the broker.', ''),
  mqttPassword: field(text, 'The password at the broker.', ''),
  mqttMode: field(upToTwo, 'Which brokers are used: 0 internal, 1 both, 2 external.', 2),
  eventBusTLS: field(BrokerTls, 'TLS to the external broker.'),
});

const MetaServer = z.strictObject({
  enable: field(flag, 'Whether it runs.', false),
  server: field(hostPort, 'Address and port it listens on.', '127.0.0.1:10550'),
  dummyServer: field(hostPort, 'A second address, for pods.', '169.254.30.10:10550'),
  tlsCaFile: field(text, 'The CA its callers are checked against.', CA_FILE),
  tlsCertFile: field(text, 'Its certificate.', CERT_FILE),
  tlsPrivateKeyFile: field(text, 'The key of that certificate.', KEY_FILE),
  serviceAccountIssuers: field(textList, 'Who may have issued the tokens of its callers.', [
    'https://kubernetes.default.svc.cluster.local',
  ]),
  apiAudiences: field(z.optional(textList), 'Audiences that those tokens must have.'),
  serviceAccountKeyFiles: field(z.optional(textList), 'The keys those tokens are checked with.'),
});

const MetaManager = z.strictObject({
  enable: field(flag, 'Whether it runs.', true),
  contextSendGroup: field(text, 'The group upstream sends through.', 'hub'),
  contextSendModule: field(text, 'The module upstream sends through.', 'websocket'),
  remoteQueryTimeout: field(count, 'Seconds to wait for an answer from the cloud.', 60),
  metaServer: field(MetaServer, 'A local Kubernetes API with the objects cached on the node.'),
});

const ServiceBus = z.strictObject({
  enable: field(flag, 'Whether it runs.', false),
  server: field(text, 'The address it listens on.', '127.0.0.1'),
  port: field(port, 'The port it listens on.', 9060),
  timeout: field(count, 'Seconds to wait for an answer.', 60),
  tlsCertFile: field(z.optional(text), 'Its certificate; newer than KubeEdge v1.23.'),
  tlsPrivateKeyFile: field(z.optional(text), 'The key of that certificate; newer than KubeEdge v1.23.'),
});

const Tunnel = z.strictObject({
  enable: field(flag, 'Whether it runs.', false),
  tlsTunnelCAFile: field(text, 'The CA the tunnel server is checked against.', CA_FILE),
  tlsTunnelCertFile: field(text, "The node's certificate for the tunnel.", CERT_FILE),
  tlsTunnelPrivateKeyFile: field(text, 'The key of that certificate.', KEY_FILE),
  handshakeTimeout: field(count, 'Seconds to wait for the tunnel to open.', 30),
  readDeadline: field(count, 'Seconds to wait for data from the tunnel.', 15),
  writeDeadline: field(count, 'Seconds to wait for data to leave.', 15),
  server: field(hostPort, "Host and port of the cloud's tunnel server.", '127.0.0.1:10004'),
});

const DeviceTwin = z.strictObject({
  enable: field(flag, 'Whether it runs.', true),
  dmiSockPath: field(text, 'The folder of the socket that device drivers connect to.', ({ paths }) => paths.base),
});

const DbTest = z.strictObject({ enable: field(flag, 'Whether it runs.', false) });
const TaskManager = z.strictObject({
  enable: field(flag, 'Whether it runs; the cloud needs its own switch too.', false),
});

const Modules = z.strictObject({
  edgeHub: field(EdgeHub, 'The connection to the cloud.'),
  edged: field(Edged, 'The node itself and the pods on it; the kubelet of the edge.'),
  eventBus: field(EventBus, 'The bridge between the agent and MQTT.'),
  metaManager: field(MetaManager, 'The memory of the node: what the cloud sent, and what waits to be sent.'),
  serviceBus: field(ServiceBus, 'The bridge between the cloud and HTTP servers on the node.'),
  deviceTwin: field(DeviceTwin, 'What devices report and what they are to be.'),
  dbTest: field(DbTest, "A self-test of upstream's database."),
  edgeStream: field(Tunnel, 'The tunnel for logs, exec and metrics from the cloud.'),
  taskManager: field(TaskManager, 'Tasks the cloud gives the node: upgrade, pulling images, a new configuration.'),
  /** Newer than v1.23: known so that a newer file is not refused. */
  streamRuleEndpoint: field(z.optional(Tunnel), 'The tunnel for streams of data; newer than KubeEdge v1.23.'),
});

/**
 * `edgecore.yaml` v1alpha2 after the defaults were filled in: every field of KubeEdge v1.23, in its spelling.
 * What has no default is optional here; in the file everything is.
 */
export const EdgecoreConfig = z.strictObject({
  apiVersion: field(z.literal(EDGECORE_API_VERSION), 'The version of this file.', EDGECORE_API_VERSION),
  kind: field(z.literal('EdgeCore'), 'The kind of this file.', 'EdgeCore'),
  database: field(Database, 'Where the node stores what the cloud sent.'),
  modules: field(Modules, 'The parts of the agent, each with its own switch.'),
  featureGates: field(switches, 'Feature gates.', {}),
  edgecoreVersion: field(text, 'The version keadm installed; informational.', ''),
});

/** A complete and checked `edgecore.yaml`. */
export type EdgecoreConfig = z.infer<typeof EdgecoreConfig>;

function at(address: string, number: number): string {
  return address.includes(':') ? `[${address}]:${number}` : `${address}:${number}`;
}
