import { madeByNode } from '@fenestra/contracts/objects';
import type { Container } from '../pod/container-fields.ts';
import type { Pod } from '../pod/pod.ts';
import { containerHash, goJson } from './container-hash.ts';

/** The labels by which the parts of a pod are found in the runtime. */
export const LABELS = {
  podName: 'io.kubernetes.pod.name',
  podNamespace: 'io.kubernetes.pod.namespace',
  podUid: 'io.kubernetes.pod.uid',
  containerName: 'io.kubernetes.container.name',
} as const;

/** The annotations of containers: what must be known of them when their pod object is gone. */
export const ANNOTATIONS = {
  hash: 'io.kubernetes.container.hash',
  restartCount: 'io.kubernetes.container.restartCount',
  terminationMessagePath: 'io.kubernetes.container.terminationMessagePath',
  terminationMessagePolicy: 'io.kubernetes.container.terminationMessagePolicy',
  terminationGracePeriod: 'io.kubernetes.pod.terminationGracePeriod',
  deletionGracePeriod: 'io.kubernetes.pod.deletionGracePeriod',
  preStopHandler: 'io.kubernetes.container.preStopHandler',
  ports: 'io.kubernetes.container.ports',
} as const;

/** Texts by name, such as labels. */
export type TextMap = Readonly<Record<string, string>>;

/** The labels of a pod's sandbox. */
export function sandboxLabels(pod: Pod): TextMap {
  return { ...pod.metadata.labels, ...podLabels(pod) };
}

/** The annotations of a pod's sandbox. */
export function sandboxAnnotations(pod: Pod): TextMap {
  return { ...pod.metadata.annotations, ...madeByNode(pod.spec.nodeName ?? '') };
}

/** The labels of a container. */
export function containerLabels(pod: Pod, container: Container): TextMap {
  return { ...podLabels(pod), [LABELS.containerName]: container.name };
}

/** The annotations of a container's instance. */
export function containerAnnotations(pod: Pod, container: Container, attempt: number): TextMap {
  const { deletionGracePeriodSeconds } = pod.metadata;
  const preStop = container.lifecycle?.preStop;
  return {
    [ANNOTATIONS.hash]: containerHash(container),
    [ANNOTATIONS.restartCount]: String(attempt),
    [ANNOTATIONS.terminationMessagePath]: container.terminationMessagePath,
    [ANNOTATIONS.terminationMessagePolicy]: container.terminationMessagePolicy,
    [ANNOTATIONS.terminationGracePeriod]: String(pod.spec.terminationGracePeriodSeconds),
    ...(deletionGracePeriodSeconds !== undefined && {
      [ANNOTATIONS.deletionGracePeriod]: String(deletionGracePeriodSeconds),
    }),
    ...(preStop && { [ANNOTATIONS.preStopHandler]: goJson(preStop) }),
    ...(container.ports?.length && { [ANNOTATIONS.ports]: goJson(container.ports) }),
  };
}

/** The pod a part of the runtime belongs to; undefined for what no Kubernetes agent made. */
export function podIdentityOf(labels: TextMap): PodIdentity | undefined {
  const uid = labels[LABELS.podUid];
  const name = labels[LABELS.podName];
  const namespace = labels[LABELS.podNamespace];
  return uid && name && namespace ? { uid, name, namespace } : undefined;
}

/** What identifies a pod on a node. */
export interface PodIdentity {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
}

function podLabels({ metadata }: Pod): TextMap {
  return {
    [LABELS.podName]: metadata.name,
    [LABELS.podNamespace]: metadata.namespace,
    [LABELS.podUid]: metadata.uid,
  };
}
