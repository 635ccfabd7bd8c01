import type { PodIdentity } from '../identity/labels.ts';
import type { ObservedContainer } from '../observed.ts';
import type { Pod } from '../pod/pod.ts';
import type { ContainerStatus, PodStatus } from '../pod/status-fields.ts';
import { type ContainerView, containerView, isDone } from './container-view.ts';

/** What a node has stored of a pod. */
export interface StoredPod {
  readonly pod: Pod;
  /** The last status that its agent made. */
  readonly status?: PodStatus;
}

/** An instance of a container that the runtime has, and its pod. */
export interface PodInstance extends ObservedContainer {
  readonly pod: PodIdentity;
}

/** A pod as an operator looks at it. */
export interface PodView extends PodIdentity {
  /** One word, as "kubectl get pods" shows it. */
  readonly status: string;
  readonly message?: string;
  /** Whether it does what it should: everything of it is ready, or it has succeeded. */
  readonly isWell: boolean;
  readonly ready: number;
  readonly total: number;
  readonly restarts: number;
  readonly createdAt?: number;
  readonly ip?: string;
  readonly containers: readonly ContainerView[];
  /** Absent if the node has no definition of the pod any more. */
  readonly definition?: Pod;
  readonly conditions: NonNullable<PodStatus['conditions']>;
}

/**
 * The pods of a node, by namespace and name: what is stored, corrected by what the runtime reports, because no agent may
 * be running; and what only the runtime has. Without a report of the runtime, what is stored counts.
 */
export function podViews(
  stored: readonly StoredPod[],
  instances: readonly PodInstance[] | undefined,
): readonly PodView[] {
  const byPod = Map.groupBy(instances ?? [], ({ pod }) => pod.uid);
  const known = new Set(stored.map(({ pod }) => pod.metadata.uid));
  const unknown = [...byPod.values()].filter(([first]) => first !== undefined && !known.has(first.pod.uid));
  return [
    ...stored.map((one) => storedView(one, instances && (byPod.get(one.pod.metadata.uid) ?? []))),
    ...unknown.flatMap((all) => foreignView(all)),
  ].toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

function orderOf({ namespace, name }: PodIdentity): string {
  return `${namespace}/${name}`;
}

function storedView({ pod, status }: StoredPod, instances: readonly PodInstance[] | undefined): PodView {
  const { spec, metadata } = pod;
  const present = status ?? pod.status ?? { phase: 'Pending' };
  const statuses: readonly ContainerStatus[] = [
    ...(present.initContainerStatuses ?? []),
    ...(present.containerStatuses ?? []),
    ...(present.ephemeralContainerStatuses ?? []),
  ];
  const viewsOf = (containers: Pod['spec']['containers'] = [], role: ContainerView['role']) =>
    containers.map((container) => {
      const own = instances?.filter(({ name }) => name === container.name);
      const isSidecar = role === 'init' && container.restartPolicy === 'Always';
      const found = statuses.find(({ name }) => name === container.name);
      return containerView(container.name, isSidecar ? 'sidecar' : role, container.image, found, own);
    });
  const containers = [
    ...viewsOf(spec.initContainers, 'init'),
    ...viewsOf(spec.containers, 'regular'),
    ...viewsOf(spec.ephemeralContainers, 'ephemeral'),
  ];
  const created = Date.parse(metadata.creationTimestamp ?? present.startTime ?? '');
  return {
    ...identityOf(pod),
    ...summary(containers, present, metadata.deletionTimestamp !== undefined),
    ...(!Number.isNaN(created) && { createdAt: created }),
    ...(present.podIP !== undefined && { ip: present.podIP }),
    containers,
    definition: pod,
    conditions: present.conditions ?? [],
  };
}

function identityOf({ metadata }: Pod): PodIdentity {
  return { namespace: metadata.namespace, name: metadata.name, uid: metadata.uid };
}

/** A pod that only the runtime has: what it is to be is not known. */
function foreignView(instances: readonly PodInstance[]): readonly PodView[] {
  const [first] = instances;
  if (first === undefined) return [];
  const names = [...new Set(instances.map(({ name }) => name))];
  const containers = names.map((name) => {
    const own = instances.filter((instance) => instance.name === name);
    return containerView(name, 'regular', own[0]?.image ?? '', undefined, own);
  });
  const createdAt = Math.min(...instances.map((instance) => instance.createdAt));
  return [{ ...first.pod, ...summary(containers, { phase: 'Running' }, false), createdAt, containers, conditions: [] }];
}

type Summary = Pick<PodView, 'isWell' | 'message' | 'ready' | 'restarts' | 'status' | 'total'>;

function summary(containers: readonly ContainerView[], status: PodStatus, isDeleted: boolean): Summary {
  const counted = containers.filter(({ role }) => role === 'regular' || role === 'sidecar');
  const ready = counted.filter((container) => container.ready).length;
  const { word, message } = judge(containers, status, isDeleted);
  const isUp = status.phase === 'Running' && ready === counted.length;
  return {
    status: word,
    ...(message !== undefined && message !== '' && { message }),
    isWell: status.phase === 'Succeeded' || isDeleted || isUp,
    ready,
    total: counted.length,
    restarts: counted.reduce((sum, { restarts }) => sum + restarts, 0),
  };
}

interface Judgement {
  readonly word: string;
  readonly message?: string | undefined;
}

function judge(containers: readonly ContainerView[], status: PodStatus, isDeleted: boolean): Judgement {
  if (isDeleted) return { word: 'Terminating' };
  if (status.reason !== undefined) return { word: status.reason, message: status.message };
  if (status.phase === 'Succeeded') return { word: 'Completed' };
  const init = containers.find(({ role, ...one }) => role === 'init' && !isDone(one));
  const shown = init ?? containers.find(({ role, state, reason }) => role !== 'init' && state !== 'running' && reason);
  if (shown?.reason === undefined) return { word: status.phase };
  return { word: init === undefined ? shown.reason : `Init:${shown.reason}`, message: shown.message };
}
