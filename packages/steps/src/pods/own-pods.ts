import type * as cri from '@fenestra/cri/messages';

/** What is asked of a sandbox and of a container. */
export type Sandbox = Pick<cri.PodSandbox, 'annotations' | 'id' | 'labels'>;
export type Container = Pick<cri.Container, 'annotations' | 'id' | 'podSandboxId' | 'labels'> & {
  readonly state: number;
};

/** A pod a kubelet made, with what the runtime has of it. */
export interface RuntimePod {
  /** For people: `default/web`. */
  readonly title: string;
  /** Absent where only containers are left. */
  readonly sandboxId?: string;
  readonly containers: readonly Container[];
}

/** A kubelet, and an agent in its stead, puts these on everything it makes. Whatever lacks one is someone else's. */
const LABELS = {
  uid: 'io.kubernetes.pod.uid',
  name: 'io.kubernetes.pod.name',
  namespace: 'io.kubernetes.pod.namespace',
} as const;

/** The pods among what a runtime holds. A sandbox made by someone else stays out, whatever is in it. */
export function ownPods(
  sandboxes: readonly Pick<Sandbox, 'id' | 'labels'>[],
  containers: readonly Container[],
): readonly RuntimePod[] {
  const whole = sandboxes.filter(hasPodLabels).map(({ id, labels }) => ({
    title: titleOf(labels),
    sandboxId: id,
    containers: containers.filter(({ podSandboxId }) => podSandboxId === id),
  }));
  const known = new Set(sandboxes.map(({ id }) => id));
  const strays = containers.filter((container) => hasPodLabels(container) && !known.has(container.podSandboxId));
  return [...whole, ...strays.map((stray) => ({ title: titleOf(stray.labels), containers: [stray] }))];
}

function hasPodLabels({ labels }: Pick<Sandbox, 'labels'>): boolean {
  return Object.values(LABELS).every((label) => (labels[label] ?? '') !== '');
}

function titleOf(labels: Sandbox['labels']): string {
  return `${labels[LABELS.namespace]}/${labels[LABELS.name]}`;
}
