import type { PodView } from '@fenestra/pods';
import { keyOf } from './find-pod.ts';

/** The pods of a node in short. */
export interface PodsStatus {
  /** How many pods there are in each state. */
  readonly states: Readonly<Record<string, number>>;
  /** Each that is not well, and why. */
  readonly unwell: readonly { readonly pod: string; readonly status: string; readonly message: string }[];
}

/** Counts pods by their state. */
export function podsStatus(pods: readonly PodView[]): PodsStatus {
  const groups = Map.groupBy(pods, ({ status }) => status);
  const counts = [...groups].map(([status, group]) => [status, group.length] as const);
  return {
    states: Object.fromEntries(counts.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    unwell: pods
      .filter(({ isWell }) => !isWell)
      .map((pod) => ({ pod: keyOf(pod), status: pod.status, message: pod.message ?? '' })),
  };
}
