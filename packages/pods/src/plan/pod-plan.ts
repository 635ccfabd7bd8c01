import type { BackoffEntry } from '../backoff.ts';

/** What a container is in its pod. */
export type ContainerRole = 'regular' | 'init' | 'sidecar' | 'ephemeral';

/** Why a container is stopped. */
export type KillReason =
  | 'pod-ends'
  | 'definition-changed'
  | 'liveness-failed'
  | 'startup-failed'
  | 'state-unknown'
  | 'hook-failed'
  | 'sandbox-replaced'
  | 'superseded'
  | 'restart-requested';

/** Stops one instance of a container. */
export interface KillContainer {
  readonly kind: 'kill-container';
  readonly id: string;
  readonly name: string;
  readonly graceSeconds: number;
  readonly reason: KillReason;
  /** Whether the container is started again whatever its exit code: its id belongs into `PodFacts.toRestart`. */
  readonly restart: boolean;
}

/** Creates and starts one instance of a container. */
export interface StartContainer {
  readonly kind: 'start-container';
  readonly name: string;
  readonly role: ContainerRole;
  readonly attempt: number;
  /** The instance whose processes an ephemeral container sees. */
  readonly targetId?: string;
  /** To be stored before the start. */
  readonly backoff?: BackoffEntry;
}

/** One change to the runtime. */
export type PodAction =
  | { readonly kind: 'create-sandbox'; readonly attempt: number }
  | { readonly kind: 'stop-sandbox'; readonly id: string }
  | { readonly kind: 'remove-container'; readonly id: string; readonly name: string }
  | KillContainer
  | StartContainer;

/** How far a pod is: it runs or tries to, its containers are being stopped, or nothing of it runs any more. */
export type PodStage = 'running' | 'terminating' | 'terminated';

/** Why and how a pod ends. */
export interface PodEnding {
  readonly cause: 'completed' | 'deleted' | 'deadline' | 'evicted' | 'shutdown' | 'removed' | 'rejected';
  readonly graceSeconds: number;
  /** What the status reports; with a reason the pod fails. */
  readonly reason?: string;
  readonly message?: string;
}

/**
 * The next actions for one pod. They are done in this order: all kills at the same time, then the others one after the
 * other. A failed `create-sandbox` or init container ends the round, any other failed start does not.
 */
export interface PodPlan {
  readonly stage: PodStage;
  readonly actions: readonly PodAction[];
  /** When to plan again although nothing changes. */
  readonly wakeAt?: number;
  /** Set unless the stage is `running`. */
  readonly ending?: PodEnding;
}

/** Actions of a part of the pod, and the times until which it waits. */
export interface PartialPlan {
  readonly actions: readonly PodAction[];
  readonly waits: readonly number[];
}

/** A part of the pod that needs nothing. */
export const NOTHING_TO_DO: PartialPlan = { actions: [], waits: [] };

/** The parts one after the other. */
export function joinPlans(...plans: readonly PartialPlan[]): PartialPlan {
  return { actions: plans.flatMap(({ actions }) => actions), waits: plans.flatMap(({ waits }) => waits) };
}
