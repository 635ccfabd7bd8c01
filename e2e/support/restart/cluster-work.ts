import { KINDS, openKubeApi, type ApiKind, type JsonObject, type KubeApi } from '@fenestra/kube-api';

/** The objects of the test, at a Kubernetes API. */
export interface ClusterWork {
  /** Each node with a Node, its own ConfigMap, and a pod that needs that one and the shared one. */
  setUp(nodes: readonly string[]): Promise<void>;
  /** Gives the ConfigMap that every node has a new text. */
  changeShared(text: string): Promise<void>;
  changeOwn(node: string, text: string): Promise<void>;
  deletePod(node: string): Promise<void>;
  close(): void;
}

const NAMESPACE = 'default';
const AT_ONCE = 16;

/** The name, as the wire has it, of an object that belongs to a node. */
export const wireNames = {
  shared: `${NAMESPACE}/configmap/shared`,
  own: (node: string): string => `${NAMESPACE}/configmap/${node}`,
  pod: (node: string): string => `${NAMESPACE}/pod/${node}`,
};

/** Opens the API of a kubeconfig: a file's name, or its text. */
export async function openClusterWork(source: Parameters<typeof openKubeApi>[0]): Promise<ClusterWork> {
  const api = await openKubeApi(source);
  const { signal } = new AbortController();
  const change = async (name: string, text: string): Promise<void> => {
    const patch = { type: 'merge', body: { data: { text } } } as const;
    await api.patch(KINDS.configMap, { namespace: NAMESPACE, name }, patch, signal);
  };
  return {
    async setUp(nodes) {
      await api.create(KINDS.configMap, configMap('shared'), signal);
      await atOnce(nodes, async (node) => createFor(api, node, signal));
    },
    changeShared: async (text) => change('shared', text),
    changeOwn: change,
    deletePod: async (name) => api.delete(KINDS.pod, { namespace: NAMESPACE, name }, { gracePeriodSeconds: 0 }, signal),
    close: () => api.close(),
  };
}

/** Does something for each, a few at the same time. */
export async function atOnce<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function createFor(api: KubeApi, node: string, signal: AbortSignal): Promise<void> {
  const objects: readonly (readonly [ApiKind, JsonObject])[] = [
    [KINDS.node, { metadata: { name: node } }],
    [KINDS.configMap, configMap(node)],
    [KINDS.pod, pod(node)],
  ];
  for (const [kind, draft] of objects) await api.create(kind, draft, signal);
}

function configMap(name: string): JsonObject {
  return { metadata: { name, namespace: NAMESPACE }, data: { text: 'first' } };
}

function pod(node: string): JsonObject {
  const envFrom = ['shared', node].map((name) => ({ configMapRef: { name } }));
  const spec = { nodeName: node, containers: [{ name: 'main', image: 'none', envFrom }] };
  return { metadata: { name: node, namespace: NAMESPACE }, spec };
}
