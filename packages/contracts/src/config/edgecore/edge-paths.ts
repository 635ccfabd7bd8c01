/** The system a node runs. */
export type NodeOs = 'linux' | 'windows';

/** Where a node keeps its things, as KubeEdge has it on both systems. */
export interface EdgePaths {
  readonly base: string;
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
  readonly database: string;
  readonly kubeletRoot: string;
  readonly staticPods: string;
  readonly volumePlugins: string;
  readonly runtimeEndpoint: string;
}

const LINUX: EdgePaths = {
  base: '/etc/kubeedge/',
  caFile: '/etc/kubeedge/ca/rootCA.crt',
  certFile: '/etc/kubeedge/certs/server.crt',
  keyFile: '/etc/kubeedge/certs/server.key',
  database: '/var/lib/kubeedge/edgecore.db',
  kubeletRoot: '/var/lib/kubelet',
  staticPods: '/etc/kubeedge/manifests',
  volumePlugins: '/usr/libexec/kubernetes/kubelet-plugins/volume/exec/',
  runtimeEndpoint: 'unix:///run/containerd/containerd.sock',
};

const WINDOWS: EdgePaths = {
  base: 'C:\\etc\\kubeedge\\',
  caFile: 'C:\\etc\\kubeedge\\ca\\rootCA.crt',
  certFile: 'C:\\etc\\kubeedge\\certs\\server.crt',
  keyFile: 'C:\\etc\\kubeedge\\certs\\server.key',
  database: 'C:\\var\\lib\\kubeedge\\edgecore.db',
  kubeletRoot: 'C:\\var\\lib\\kubelet',
  staticPods: 'C:\\etc\\kubeedge\\manifests\\',
  volumePlugins: 'C:\\usr\\libexec\\kubernetes\\kubelet-plugins\\volume\\exec\\',
  runtimeEndpoint: 'npipe://./pipe/containerd-containerd',
};

/** KubeEdge's paths on this system. */
export function edgePaths(os: NodeOs): EdgePaths {
  return os === 'windows' ? WINDOWS : LINUX;
}
