import { setTimeout as sleep } from 'node:timers/promises';
import { KINDS, openKubeApi, type KubeApi } from '@fenestra/kube-api';

const PATIENCE_MS = 60_000;
const NAMESPACE = 'default';

/** Sends a ConfigMap to the node, by way of a pod that uses it, and waits until the node's own API shows its text. */
export async function sendConfigMap(kubeconfigFile: string, node: string, metaServerPort: number): Promise<string> {
  const api = await openKubeApi({ kubeconfigFile });
  const text = `sent at ${new Date().toISOString()}`;
  try {
    const { signal } = new AbortController();
    await put(api, KINDS.configMap, { metadata: { name: 'demo', namespace: NAMESPACE }, data: { text } });
    await put(api, KINDS.pod, podUsing('demo', node));
    const url = `http://127.0.0.1:${metaServerPort}/api/v1/namespaces/${NAMESPACE}/configmaps/demo`;
    await waitUntil(async () => (await answer(url, signal)).includes(text));
    return text;
  } finally {
    api.close();
  }
}

type Kind = (typeof KINDS)['configMap' | 'pod'];

async function put(api: KubeApi, kind: Kind, draft: Parameters<KubeApi['create']>[1]): Promise<void> {
  const body = { apiVersion: 'v1', kind: kind.kind, ...draft };
  const patch = { type: 'apply', body, fieldManager: 'demo', force: true } as const;
  await api.patch(kind, { name: 'demo', namespace: NAMESPACE }, patch, new AbortController().signal);
}

function podUsing(configMap: string, nodeName: string) {
  const container = { name: 'main', image: 'demo', envFrom: [{ configMapRef: { name: configMap } }] };
  return { metadata: { name: 'demo', namespace: NAMESPACE }, spec: { nodeName, containers: [container] } };
}

async function answer(url: string, signal: AbortSignal): Promise<string> {
  return fetch(url, { signal }).then(
    async (response) => response.text(),
    () => '',
  );
}

async function waitUntil(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('The ConfigMap did not reach the node in time');
    await sleep(200);
  }
}
