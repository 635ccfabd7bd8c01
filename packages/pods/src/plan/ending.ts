import type { PodFacts } from '../facts.ts';
import type { PodEnding } from './pod-plan.ts';

/** Why a pod has to end; undefined while it may run. */
export function podEnding(facts: PodFacts): PodEnding | undefined {
  return stopRequested(facts) ?? deletion(facts) ?? deadline(facts) ?? recordedTerminal(facts);
}

/** When the active deadline of a pod passes. */
export function deadlineOf({ pod, startTime }: PodFacts): number | undefined {
  const seconds = pod.spec.activeDeadlineSeconds;
  return seconds === undefined ? undefined : startTime + seconds * 1000;
}

/** The end of a pod whose containers have all done their work. */
export function completion({ pod }: PodFacts): PodEnding {
  return { cause: 'completed', graceSeconds: pod.spec.terminationGracePeriodSeconds };
}

function stopRequested({ stop, pod }: PodFacts): PodEnding | undefined {
  if (stop === undefined) return undefined;
  const ownGrace = pod.metadata.deletionGracePeriodSeconds ?? pod.spec.terminationGracePeriodSeconds;
  return { ...stop, graceSeconds: stop.graceSeconds ?? ownGrace };
}

function deletion({ pod }: PodFacts): PodEnding | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  if (deletionTimestamp === undefined) return undefined;
  return { cause: 'deleted', graceSeconds: deletionGracePeriodSeconds ?? pod.spec.terminationGracePeriodSeconds };
}

function deadline(facts: PodFacts): PodEnding | undefined {
  const passesAt = deadlineOf(facts);
  if (passesAt === undefined || passesAt > facts.now) return undefined;
  return {
    cause: 'deadline',
    graceSeconds: facts.pod.spec.terminationGracePeriodSeconds,
    reason: 'DeadlineExceeded',
    message: 'Pod was active on the node longer than the specified deadline',
  };
}

/** A phase that was reported as final is never left, even if the runtime has forgotten the containers. */
function recordedTerminal(facts: PodFacts): PodEnding | undefined {
  const phase = facts.recorded?.phase;
  return phase === 'Failed' || phase === 'Succeeded' ? completion(facts) : undefined;
}
