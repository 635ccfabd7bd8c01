import { createHash } from 'node:crypto';
import { isAtLeast } from '@fenestra/contracts/kube';
import type { JsonObject, KubeObject } from '@fenestra/kube-api';
import type { KubernetesVersion } from '../request/supported-version.ts';
import { commonLabels } from './labels.ts';
import { MOUNTS, type Part, type Variables } from './part.ts';
import { accessVolume } from './pod-access.ts';

/** The pods of a part, one on every Windows node. */
export function daemonSet(part: Part, version: KubernetesVersion): KubeObject {
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
