import { createHash } from 'node:crypto';
import { isAtLeast } from '@fenestra/contracts/kube';
import type { JsonObject, KubeObject } from '@fenestra/kube-api';
import {
  commonLabels,
  HOST_ACCESS_ALLOWED,
  HOST_ACCESS_LABEL,
  MOUNTS,
  type Part,
  podSecurity,
  type Variables,
} from './part.ts';
import type { KubernetesVersion, ManifestRequest } from './manifest-request.ts';

const RBAC = 'rbac.authorization.k8s.io';

/** All objects of a part, in the order of installation. */
export function partObjects(part: Part, { version, apiServer }: ManifestRequest): readonly KubeObject[] {
  const { name } = part;
  const metadata = { name, namespace: name, labels: commonLabels(name) };
  const files = { ...part.files, kubeconfig: kubeconfig(apiServer) };
  return [
    namespace(name),
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata, automountServiceAccountToken: false },
    ...accessRules(part),
    { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: files },
    daemonSet({ ...part, files }, version),
  ];
}

function namespace(name: string): KubeObject {
  const labels = { ...commonLabels(name), ...podSecurity('privileged'), [HOST_ACCESS_LABEL]: HOST_ACCESS_ALLOWED };
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
}

function accessRules({ name, rights }: Part): readonly KubeObject[] {
  const metadata = { name, labels: commonLabels(name) };
  const own =
    'rules' in rights ? [{ apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata, rules: rights.rules }] : [];
  const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name: 'rules' in rights ? name : rights.clusterRole };
  const subjects = [{ kind: 'ServiceAccount', name, namespace: name }];
  return [...own, { apiVersion: `${RBAC}/v1`, kind: 'ClusterRoleBinding', metadata, roleRef, subjects }];
}

function daemonSet(part: Part, version: KubernetesVersion): KubeObject {
  const { name } = part;
  const labels = commonLabels(name);
  // A change of the files alone would leave the pods as they are.
  const annotations = { 'fenestra.dev/files': digest(part.files) };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace: name, labels },
    spec: {
      selector: { matchLabels: { 'app.kubernetes.io/name': name } },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      template: { metadata: { labels, annotations }, spec: podSpec(part, version) },
    },
  };
}

function podSpec({ name, image, variables, pod }: Part, version: KubernetesVersion): JsonObject {
  return {
    ...(namesOperatingSystem(version) ? { os: { name: 'windows' } } : {}),
    nodeSelector: { 'kubernetes.io/os': 'windows', 'kubernetes.io/arch': 'amd64' },
    ...pod.spec,
    serviceAccountName: name,
    automountServiceAccountToken: false,
    priorityClassName: 'system-node-critical',
    tolerations: [{ operator: 'Exists' }],
    containers: [
      {
        name,
        image,
        command: pod.command,
        env: environment(variables),
        resources: { requests: { cpu: '100m', memory: '100Mi' } },
        volumeMounts: [
          { name: 'files', mountPath: MOUNTS.files, readOnly: true },
          { name: 'access', mountPath: MOUNTS.access, readOnly: true },
          ...pod.mounts,
        ],
      },
    ],
    volumes: [{ name: 'files', configMap: { name } }, accessVolume(name), ...pod.volumes],
  };
}

const NODE_VARIABLES: Variables = {
  NODE_NAME: { fieldPath: 'spec.nodeName' },
  HOST_ADDRESS: { fieldPath: 'status.hostIP' },
};

function environment(variables: Variables): readonly JsonObject[] {
  return Object.entries({ ...NODE_VARIABLES, ...variables }).map(([name, value]) =>
    typeof value === 'string' ? { name, value } : { name, valueFrom: { fieldRef: { fieldPath: value.fieldPath } } },
  );
}

/** The field is there since 1.23, but was switched on in 1.24. */
function namesOperatingSystem(version: KubernetesVersion): boolean {
  return isAtLeast(version, 24);
}

function digest(files: Readonly<Record<string, string>>): string {
  return createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 16);
}

/** Who a pod is for the API server. The CA and the token lie beside the kubeconfig, so that it need not know where on the host the volume is. */
function kubeconfig(apiServer: string): string {
  const cluster = { server: `https://${apiServer}`, 'certificate-authority': 'ca.crt' };
  return JSON.stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'cluster', cluster }],
      users: [{ name: 'pod', user: { tokenFile: 'token' } }],
      contexts: [{ name: 'pod', context: { cluster: 'cluster', user: 'pod' } }],
      'current-context': 'pod',
    },
    undefined,
    2,
  );
}

/** One folder with the kubeconfig and the two files that it names. */
function accessVolume(configMap: string): JsonObject {
  const sources = [
    { configMap: { name: configMap, items: [{ key: 'kubeconfig', path: 'kubeconfig' }] } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    { serviceAccountToken: { path: 'token', expirationSeconds: TOKEN_SECONDS } },
  ];
  return { name: 'access', projected: { sources } };
}

/** As long as the token that Kubernetes itself gives to pods; it is replaced under way. */
const TOKEN_SECONDS = 3607;
