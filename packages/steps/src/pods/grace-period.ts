import type { Container } from './own-pods.ts';

/** What no pod exceeds where no one says otherwise: Kubernetes' own default. */
export const GRACE_LIMIT_SECONDS = 30;
/** What a kubelet, and the agent, write on the containers of a pod. The first is that of a deletion under way. */
const ANNOTATIONS = ['io.kubernetes.pod.deletionGracePeriod', 'io.kubernetes.pod.terminationGracePeriod'];
const DEFAULT_SECONDS = 30;

/** How long containers of a pod may take to end after SIGTERM. */
export function gracePeriodOf(containers: readonly Pick<Container, 'annotations'>[]): number {
  return Math.max(0, ...containers.map(secondsOf));
}

function secondsOf({ annotations }: Pick<Container, 'annotations'>): number {
  const seconds = ANNOTATIONS.map((name) => Number(annotations[name] ?? NaN)).find((value) => value >= 0);
  return seconds ?? DEFAULT_SECONDS;
}
