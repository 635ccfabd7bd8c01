import { edgePaths } from '../edgecore/edge-paths.ts';
import { edgeControllerDefaults } from './edge-controller-defaults.ts';
import type { CloudcoreConfig } from './schema.ts';

type Modules = CloudcoreConfig['modules'];

/** How many nodes one cloudcore is sized for unless the file says otherwise. */
const NODE_LIMIT = 500;

/** What the defaults take from the machine. */
export interface CloudHost {
  /** The addresses nodes reach this machine at; they go into the server's certificate. */
  readonly addresses: readonly string[];
}

/** No machine in particular. */
export const ANY_CLOUD_HOST: CloudHost = { addresses: [] };

/** KubeEdge's defaults for the cloud: what `cloudcore.yaml` means when it says nothing. */
export function cloudcoreDefaults(host: CloudHost = ANY_CLOUD_HOST): CloudcoreConfig {
  return {
    apiVersion: 'cloudcore.config.kubeedge.io/v1alpha1',
    kind: 'CloudCore',
    commonConfig: { tunnelPort: 10350, monitorServer: { bindAddress: '127.0.0.1:9091', enableProfiling: false } },
    kubeAPIConfig: {
      master: '',
      kubeConfig: '',
      contentType: 'application/vnd.kubernetes.protobuf',
      qps: 5 * NODE_LIMIT,
      burst: 10 * NODE_LIMIT,
    },
    modules: {
      cloudHub: cloudHub(host),
      edgeController: edgeControllerDefaults(NODE_LIMIT),
      deviceController: deviceController(),
      taskManager: { enable: false, buffer: { taskStatus: 1024, taskEvent: 1 }, load: { taskWorkers: 1 } },
      syncController: { enable: true },
      dynamicController: { enable: false },
      cloudStream: cloudStream(),
      router: { enable: false, address: '0.0.0.0', port: 9443, restTimeout: 60 },
      iptablesManager: { enable: true, mode: 'internal' },
    },
    featureGates: {},
  };
}

function cloudHub({ addresses }: CloudHost): Modules['cloudHub'] {
  const { caFile, certFile, keyFile } = edgePaths('linux');
  return {
    enable: true,
    keepaliveInterval: 30,
    nodeLimit: NODE_LIMIT,
    tlsCAFile: caFile,
    tlsCAKeyFile: '/etc/kubeedge/ca/rootCA.key',
    tlsCertFile: certFile,
    tlsPrivateKeyFile: keyFile,
    writeTimeout: 30,
    websocket: { enable: true, address: '0.0.0.0', port: 10000 },
    https: { enable: true, address: '0.0.0.0', port: 10002 },
    quic: { enable: false, address: '0.0.0.0', port: 10001, maxIncomingStreams: 10000 },
    unixsocket: { enable: true, address: 'unix:///var/lib/kubeedge/kubeedge.sock' },
    advertiseAddress: [...addresses],
    dnsNames: [''],
    edgeCertSigningDuration: 365,
    tokenRefreshDuration: 12,
    authorization: { enable: false, debug: true, modes: [{ node: { enable: true } }] },
  };
}

function deviceController(): Modules['deviceController'] {
  return {
    enable: true,
    buffer: { updateDeviceTwins: 1024, updateDeviceStatus: 1024, deviceEvent: 1, deviceModelEvent: 1 },
    load: { updateDeviceStatusWorkers: 1 },
  };
}

function cloudStream(): Modules['cloudStream'] {
  const { caFile, certFile, keyFile } = edgePaths('linux');
  return {
    enable: false,
    tlsTunnelCAFile: caFile,
    tlsTunnelCertFile: certFile,
    tlsTunnelPrivateKeyFile: keyFile,
    tunnelPort: 10004,
    tlsStreamCAFile: '/etc/kubeedge/ca/streamCA.crt',
    tlsStreamCertFile: '/etc/kubeedge/certs/stream.crt',
    tlsStreamPrivateKeyFile: '/etc/kubeedge/certs/stream.key',
    streamPort: 10003,
  };
}
