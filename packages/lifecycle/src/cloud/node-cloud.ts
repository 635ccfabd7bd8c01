import { OperatorError } from '@fenestra/kernel';
import {
  KINDS,
  listAt,
  openKubeApi,
  readServerVersion,
  statusOf,
  stringAt,
  valueAt,
  type KubeApi,
  type KubeObject,
} from '@fenestra/kube-api';
import type { CloudNode, CloudPod, NodeCloud } from '@fenestra/session';

const TOO_MANY_REQUESTS = 429;
const GONE: readonly string[] = ['API_NOT_FOUND', 'API_CONFLICT'];
const FINISHED_PHASES: readonly string[] = ['Succeeded', 'Failed'];
/** Marks the image of a pod that only the node can end. */
const MIRROR_ANNOTATION = 'kubernetes.io/config.mirror';

/** Reaches the cloud of a node by the Kubernetes API that a kubeconfig names. */
export async function openNodeCloud(kubeconfigFile: string): Promise<NodeCloud> {
  const api = await openKubeApi({ kubeconfigFile });
  let eviction: string | undefined;
  const evictionApi = async (signal: AbortSignal): Promise<string> =>
    (eviction ??= evictionVersion(await readServerVersion(api, signal)));
  return {
    server: api.server,
    async find(node, signal) {
      const found = await api.find(KINDS.node, { name: node }, signal);
      return found === undefined ? undefined : nodeOf(found);
    },
    async setSchedulable(node, schedulable, signal) {
      const body = { spec: { unschedulable: schedulable ? null : true } };
      await api.patch(KINDS.node, { name: node }, { type: 'merge', body }, signal);
    },
    movablePods: async (node, signal) => (await podsOn(api, node, signal)).filter(isMovable).map(podOf),
    evict: async (pod, signal) => evict(api, await evictionApi(signal), pod, signal),
    async remove(node, signal) {
      await unlessGone(api.delete(KINDS.node, { name: node }, {}, signal));
      await removePods(api, await podsOn(api, node, signal), signal);
    },
    close: () => api.close(),
  };
}

async function podsOn(api: KubeApi, node: string, signal: AbortSignal): Promise<readonly KubeObject[]> {
  return api.list(KINDS.pod, { fieldSelector: `spec.nodeName=${node}` }, signal);
}

async function evict(
  api: KubeApi,
  apiVersion: string,
  { uid, namespace, name }: CloudPod,
  signal: AbortSignal,
): Promise<'accepted' | 'blocked'> {
  const deleteOptions = { preconditions: { uid } };
  const body = { apiVersion, kind: 'Eviction', metadata: { namespace, name }, deleteOptions };
  try {
    await unlessGone(api.post(KINDS.pod, { namespace, name }, 'eviction', body, signal));
    return 'accepted';
  } catch (error) {
    if (statusOf(error).code === TOO_MANY_REQUESTS) return 'blocked';
    throw error;
  }
}

/** With its node gone no one confirms a pod's end any more, so no one is waited for. */
async function removePods(api: KubeApi, pods: readonly KubeObject[], signal: AbortSignal): Promise<void> {
  for (const { metadata } of pods) {
    const pod = { namespace: metadata.namespace, name: metadata.name };
    const options = { gracePeriodSeconds: 0, preconditions: { uid: metadata.uid ?? '' } };
    await unlessGone(api.delete(KINDS.pod, pod, options, signal));
  }
}

/** The object may be absent, or be another one of the same name. */
async function unlessGone(request: Promise<unknown>): Promise<void> {
  await request.catch((error: unknown) => {
    if (!(error instanceof OperatorError && GONE.includes(error.code))) throw error;
  });
}

function nodeOf(node: KubeObject): CloudNode {
  const ready = listAt(node, 'status', 'conditions').find((condition) => stringAt(condition, 'type') === 'Ready');
  return {
    uid: node.metadata.uid ?? '',
    schedulable: valueAt(node, 'spec', 'unschedulable') !== true,
    ready: stringAt(ready, 'status') === 'True',
  };
}

function podOf({ metadata }: KubeObject): CloudPod {
  return {
    uid: metadata.uid ?? '',
    namespace: metadata.namespace ?? 'default',
    name: metadata.name,
    ending: metadata.deletionTimestamp !== undefined,
  };
}

function isMovable(pod: KubeObject): boolean {
  if (FINISHED_PHASES.includes(stringAt(pod, 'status', 'phase'))) return false;
  if (pod.metadata.annotations?.[MIRROR_ANNOTATION] !== undefined) return false;
  return !listAt(pod, 'metadata', 'ownerReferences').some((owner) => stringAt(owner, 'kind') === 'DaemonSet');
}

const FIRST_WITH_V1 = 22;

/** The `apiVersion` in which a server of this version takes an eviction. One that cannot be determined is taken for a new one. */
export function evictionVersion(serverVersion: string): 'policy/v1' | 'policy/v1beta1' {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(serverVersion) ?? [];
  return major === '1' && Number(minor) < FIRST_WITH_V1 ? 'policy/v1beta1' : 'policy/v1';
}
