import { setTimeout as sleep } from 'node:timers/promises';
import { KINDS, type KubeApi, openKubeApi, stringAt } from '@fenestra/kube-api';
import { POD_IMAGE } from '../../e2e/support/beds/test-images.ts';

const PATIENCE_MS = 60_000;
const NAMESPACE = 'default';
const PORT = 8080;

/**
 * Sends a ConfigMap to the node, by way of a pod that uses it, and waits until the node's own API shows its text. The pod
 * itself does not run.
 */
export async function sendConfigMap(kubeconfigFile: string, node: string, metaServerPort: number): Promise<string> {
  return withApi(kubeconfigFile, async (api) => {
    const text = await putText(api);
    const container = { name: 'main', image: 'demo', envFrom: [{ configMapRef: { name: 'demo' } }] };
    await put(api, KINDS.pod, 'demo', { spec: { nodeName: node, containers: [container] } });
    const url = `http://127.0.0.1:${metaServerPort}/api/v1/namespaces/${NAMESPACE}/configmaps/demo`;
    return waitFor('the ConfigMap on the node', async () => ((await answerOf(url)).includes(text) ? text : undefined));
  });
}

/** Runs two pods on the node, and returns what one of them answers by HTTP: a text from a ConfigMap. */
export async function runPods(
  kubeconfigFile: string,
  node: string,
): Promise<{ readonly url: string; readonly answer: string }> {
  return withApi(kubeconfigFile, async (api) => {
    const text = await putText(api);
    await put(api, KINDS.pod, 'web', webPod(node));
    await put(api, KINDS.pod, 'clock', clockPod(node));
    const url = await waitFor('the pods to run', async () => {
      const [web, clock] = await Promise.all([addressOf(api, 'web'), addressOf(api, 'clock')]);
      return web === undefined || clock === undefined ? undefined : `http://${web}:${PORT}/text`;
    });
    const answer = await waitFor('the answer of the pod', async () =>
      (await answerOf(url)) === text ? text : undefined,
    );
    return { url, answer };
  });
}

function webPod(nodeName: string) {
  const command = ['httpd', '-f', '-p', String(PORT), '-h', '/pages'];
  const volumeMounts = [{ name: 'pages', mountPath: '/pages' }];
  const containers = [{ name: 'main', image: POD_IMAGE, command, volumeMounts }];
  return { spec: { nodeName, containers, volumes: [{ name: 'pages', configMap: { name: 'demo' } }] } };
}

function clockPod(nodeName: string) {
  const command = ['sh', '-c', 'while :; do date; sleep 10; done'];
  return {
    spec: { nodeName, terminationGracePeriodSeconds: 1, containers: [{ name: 'main', image: POD_IMAGE, command }] },
  };
}

/** The address of a pod that runs. */
async function addressOf(api: KubeApi, name: string): Promise<string | undefined> {
  const pod = await api.get(KINDS.pod, { name, namespace: NAMESPACE }, AbortSignal.timeout(PATIENCE_MS));
  return stringAt(pod, 'status', 'phase') === 'Running' ? stringAt(pod, 'status', 'podIP') : undefined;
}

async function withApi<T>(kubeconfigFile: string, work: (api: KubeApi) => Promise<T>): Promise<T> {
  const api = await openKubeApi({ kubeconfigFile });
  try {
    return await work(api);
  } finally {
    api.close();
  }
}

async function putText(api: KubeApi): Promise<string> {
  const text = `sent at ${new Date().toISOString()}`;
  await put(api, KINDS.configMap, 'demo', { data: { text } });
  return text;
}

type Kind = (typeof KINDS)['configMap' | 'pod'];

async function put(api: KubeApi, kind: Kind, name: string, draft: object): Promise<void> {
  const metadata = { name, namespace: NAMESPACE };
  const body = { apiVersion: 'v1', kind: kind.kind, metadata, ...draft };
  const patch = { type: 'apply', body, fieldManager: 'demo', force: true } as const;
  await api.patch(kind, metadata, patch, AbortSignal.timeout(PATIENCE_MS));
}

async function answerOf(url: string): Promise<string> {
  return fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    async (response) => response.text(),
    () => '',
  );
}

async function waitFor<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`Waited ${PATIENCE_MS / 1000} s for ${what}, in vain`);
    await sleep(200);
  }
}
