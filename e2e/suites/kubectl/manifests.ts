/** A pod with a port, a variable and a mounted ConfigMap. */
export function pod(name: string, spec: object = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: name } },
    spec: {
      containers: [
        {
          name: 'main',
          image: 'registry.example/web:1',
          ports: [{ containerPort: 80 }],
          env: [{ name: 'GREETING', value: 'hello' }],
          volumeMounts: [{ name: 'settings', mountPath: '/settings' }],
        },
      ],
      volumes: [{ name: 'settings', configMap: { name: 'settings' } }],
      ...spec,
    },
  };
}

/** A node that reports to be ready, as a node agent would register it. */
export function node(name: string, labels: Readonly<Record<string, string>> = {}): object {
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  const capacity = { cpu: '2', memory: '4Gi', pods: '110' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', ...labels } },
    status: {
      addresses: [{ type: 'InternalIP', address: '10.1.2.3' }],
      capacity,
      allocatable: capacity,
      conditions: [
        { type: 'Ready', status: 'True', reason: 'KubeletReady', lastHeartbeatTime: now, lastTransitionTime: now },
      ],
      nodeInfo: { kubeletVersion: 'v1.32.0', osImage: 'Debian', kernelVersion: '6.1', operatingSystem: 'linux' },
    },
  };
}

/** A ConfigMap with some text. */
export function configMap(name: string, data: Readonly<Record<string, string>>): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
}

/** The lease by which a node tells that it is running. */
export function nodeLease(name: string): object {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name, namespace: 'kube-node-lease' },
    spec: { holderIdentity: name, leaseDurationSeconds: 40 },
  };
}
