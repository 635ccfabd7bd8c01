import type { JsonObject } from '@fenestra/kube-api';

/** What the objects are made for. */
export interface KubeadmCluster {
  /** `https://host:port`, as nodes get it. */
  readonly server: string;
  /** PEM. */
  readonly caBundle: string;
  /** The cluster's version, `v1.20.2`. */
  readonly version: string;
  /** The version of kubeadm's own configuration in it: `v1beta4`; kubeadm v1.20 knows none beyond `v1beta2`. */
  readonly apiVersion: string;
}

/** The group of every bootstrap token that nodes join with. */
export const TOKEN_GROUP = 'system:bootstrappers:kubeadm:default-node-token';
/** The name of what lets a node have its first certificate without anyone looking. */
export const AUTO_APPROVAL = 'kubeadm:node-autoapprove-bootstrap';

const NODES_GROUP = 'system:nodes';
const RBAC = 'rbac.authorization.k8s.io';
const CERTIFICATE_ROLE = 'system:certificates.k8s.io:certificatesigningrequests';

/** Everything `kubeadm init` puts into a new cluster so that nodes can join; the rest the API server makes by itself. */
export function kubeadmObjects(cluster: KubeadmCluster): readonly JsonObject[] {
  return [...clusterRoles(), ...publicObjects(cluster), ...configuration(cluster)];
}

function clusterRoles(): readonly JsonObject[] {
  const getNodes = {
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRole',
    metadata: { name: 'kubeadm:get-nodes' },
    rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }],
  };
  return [
    getNodes,
    clusterBinding('kubeadm:get-nodes', 'kubeadm:get-nodes', TOKEN_GROUP),
    clusterBinding('kubeadm:kubelet-bootstrap', 'system:node-bootstrapper', TOKEN_GROUP),
    autoApproval(),
    clusterBinding('kubeadm:node-autoapprove-certificate-rotation', `${CERTIFICATE_ROLE}:selfnodeclient`, NODES_GROUP),
  ];
}

/** Approves every node's first request by itself. */
export function autoApproval(): JsonObject {
  return clusterBinding(AUTO_APPROVAL, `${CERTIFICATE_ROLE}:nodeclient`, TOKEN_GROUP);
}

function publicObjects({ server, caBundle }: KubeadmCluster): readonly JsonObject[] {
  const kubeconfig = [
    'apiVersion: v1',
    'clusters:',
    '- cluster:',
    `    certificate-authority-data: ${Buffer.from(caBundle).toString('base64')}`,
    `    server: ${server}`,
    '  name: ""',
    'contexts: null',
    'current-context: ""',
    'kind: Config',
    'preferences: {}',
    'users: null',
    '',
  ].join('\n');
  const everybody = [{ kind: 'User', name: 'system:anonymous' }];
  return [
    configMap('kube-public', 'cluster-info', { kubeconfig }),
    ...readable('kube-public', 'kubeadm:bootstrap-signer-clusterinfo', ['cluster-info'], everybody),
  ];
}

function configuration(cluster: KubeadmCluster): readonly JsonObject[] {
  const [, minor] = /^v1\.(\d+)\./.exec(cluster.version) ?? [];
  // Up to v1.23 the name has the version in it; kubeadm of such a version looks for no other.
  const names = ['kubelet-config', `kubelet-config-1.${minor}`];
  const nodes = [TOKEN_GROUP, NODES_GROUP].map((name) => ({ kind: 'Group', name }));
  return [
    configMap('kube-system', 'kubeadm-config', { ClusterConfiguration: clusterConfiguration(cluster) }),
    ...readable('kube-system', 'kubeadm:nodes-kubeadm-config', ['kubeadm-config'], nodes),
    ...names.map((name) => configMap('kube-system', name, { kubelet: KUBELET_CONFIGURATION })),
    ...readable('kube-system', 'kubeadm:kubelet-config', names, nodes),
  ];
}

function clusterConfiguration({ version, apiVersion }: KubeadmCluster): string {
  return `apiVersion: kubeadm.k8s.io/${apiVersion}
kind: ClusterConfiguration
clusterName: kubernetes
kubernetesVersion: ${version}
certificatesDir: /etc/kubernetes/pki
imageRepository: fenestra.test
networking:
  dnsDomain: cluster.local
  serviceSubnet: 10.96.0.0/16
`;
}

/** As kubeadm writes it, but that nodes report often, use no systemd for their groups, and do not mind a full disk. */
const KUBELET_CONFIGURATION = `apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
authentication:
  anonymous:
    enabled: false
  webhook:
    enabled: true
  x509:
    clientCAFile: /etc/kubernetes/pki/ca.crt
authorization:
  mode: Webhook
cgroupDriver: cgroupfs
clusterDNS:
- 10.96.0.10
clusterDomain: cluster.local
evictionHard:
  memory.available: 1Mi
  nodefs.available: 0%
  nodefs.inodesFree: 0%
  imagefs.available: 0%
failSwapOn: false
healthzBindAddress: 127.0.0.1
healthzPort: 10248
nodeStatusUpdateFrequency: 1s
nodeStatusReportFrequency: 1s
rotateCertificates: true
staticPodPath: /etc/kubernetes/manifests
`;

type Subjects = readonly { readonly kind: string; readonly name: string }[];

/** Lets someone read some ConfigMaps of a namespace. */
function readable(namespace: string, name: string, names: readonly string[], who: Subjects): readonly JsonObject[] {
  const metadata = { namespace, name };
  const rules = [{ apiGroups: [''], resources: ['configmaps'], resourceNames: [...names], verbs: ['get'] }];
  const subjects = who.map((subject) => ({ apiGroup: RBAC, ...subject }));
  const roleRef = { apiGroup: RBAC, kind: 'Role', name };
  return [
    { apiVersion: `${RBAC}/v1`, kind: 'Role', metadata, rules },
    { apiVersion: `${RBAC}/v1`, kind: 'RoleBinding', metadata, roleRef, subjects },
  ];
}

function clusterBinding(name: string, role: string, group: string): JsonObject {
  return {
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: RBAC, kind: 'Group', name: group }],
  };
}

function configMap(namespace: string, name: string, data: Readonly<Record<string, string>>): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name }, data };
}
