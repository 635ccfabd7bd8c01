import type { BackoffEntry } from './backoff.ts';
import type { ObservedPod } from './observed.ts';
import type { Pod } from './pod/pod.ts';
import type { PodStatus } from './pod/status-fields.ts';

/** Everything that the decisions about one pod depend on. Times are milliseconds since 1970. */
export interface PodFacts {
  readonly pod: Pod;
  readonly observed: ObservedPod;
  readonly now: number;
  /** When the agent first accepted the pod. */
  readonly startTime: number;
  /** The last status the agent made, which may say more than the runtime still knows. */
  readonly recorded?: PodStatus;
  /** Why the pod must stop, other than by its own fields. */
  readonly stop?: StopRequest;
  /** When the pod began to stop. */
  readonly endingSince?: number;
  /** By name of the container. */
  readonly backoffs: ReadonlyMap<string, BackoffEntry>;
  /** The last failed start of each container, by its name, until a start succeeds. */
  readonly failures: ReadonlyMap<string, StartFailure>;
  readonly sandboxFailure?: StartFailure;
  /** By id of the instance. */
  readonly probes: ReadonlyMap<string, ProbeVerdicts>;
  /** The ids of instances whose postStart hook has not ended. */
  readonly starting: ReadonlySet<string>;
  /** The ids of instances that were killed to be restarted: their exit code does not matter. */
  readonly toRestart: ReadonlySet<string>;
  /** The ids of instances that an administrator wants to be replaced: at once, whatever the policy of the pod is. */
  readonly restartNow?: ReadonlySet<string>;
  /** The highest attempt with a log, by name of the container, for containers that the runtime no longer knows. */
  readonly loggedAttempts: ReadonlyMap<string, number>;
}

/** A request to stop a pod that does not come from the pod itself. */
export interface StopRequest {
  readonly cause: 'evicted' | 'shutdown' | 'removed' | 'rejected';
  /** Overrides the grace period of the pod. */
  readonly graceSeconds?: number;
  /** What the status reports; with a reason the pod fails. */
  readonly reason?: string;
  readonly message?: string;
}

/** A start that failed. */
export interface StartFailure {
  /** The reason as the status reports it, such as `ErrImagePull`. */
  readonly reason: string;
  readonly message: string;
  readonly at: number;
  readonly retryAt: number;
}

/**
 * When a failed start is to be made again. A failure in the future comes from a clock that was set back and makes
 * nothing wait.
 */
export function startRetryTime(failure: StartFailure | undefined, now: number): number {
  return failure === undefined || failure.at > now ? now : failure.retryAt;
}

/** The results of the probes of one instance; absent before the first result. */
export interface ProbeVerdicts {
  readonly liveness?: ProbeVerdict;
  readonly readiness?: ProbeVerdict;
  readonly startup?: ProbeVerdict;
}

/** The result of a probe after its thresholds. */
export type ProbeVerdict = 'success' | 'failure';
