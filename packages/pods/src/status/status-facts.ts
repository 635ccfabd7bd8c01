import type { PodFacts } from '../facts.ts';
import type { PodCondition } from '../pod/status-fields.ts';
import type { PodEnding, PodStage } from '../plan/pod-plan.ts';

/** What the status of a pod depends on: the facts, and what was planned from them. */
export interface StatusFacts extends PodFacts {
  readonly stage: PodStage;
  readonly ending?: PodEnding;
  /** The addresses of the node, the primary one first. */
  readonly hostIps: readonly string[];
  /** The name of the runtime, which begins the ids of containers, such as `containerd`. */
  readonly runtimeName: string;
  /** Conditions that the agent sets for other reasons. */
  readonly otherConditions?: readonly PodCondition[];
}

/** A time as the API writes it: in seconds. */
export function apiTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}
