import { nextBackoff, retryTime } from '../backoff.ts';
import { type PodFacts, startRetryTime } from '../facts.ts';
import { containerHash } from '../identity/container-hash.ts';
import { pullErrorEnd } from '../images/pull-decision.ts';
import { instancesOf, isAlive, type ObservedContainer } from '../observed.ts';
import type { Container } from '../pod/container-fields.ts';
import type { PodSpec } from '../pod/pod.ts';
import type { ContainerStatus, Terminated } from '../pod/status-fields.ts';
import type { ContainerRole, PartialPlan, PodAction } from './pod-plan.ts';
import { allStatuses } from './readiness.ts';

/** When a container is started again after it ended. */
export type RestartPolicy = PodSpec['restartPolicy'];

/** The policy for one container: that of the pod, except that a sidecar always runs and no init container repeats. */
export function restartPolicyOf(spec: PodSpec, role: ContainerRole): RestartPolicy {
  if (role === 'sidecar') return 'Always';
  if (role === 'ephemeral') return 'Never';
  return role === 'init' && spec.restartPolicy === 'Always' ? 'OnFailure' : spec.restartPolicy;
}

/** Whether a container that does not run has to, now or after a wait. */
export function needsInstance(facts: PodFacts, name: string, policy: RestartPolicy): boolean {
  const [latest] = instancesOf(facts.observed, name);
  if (latest === undefined) {
    const ended = recordedEnd(facts, name);
    return ended === undefined || restartsAfter(policy, ended.exitCode);
  }
  if (isAlive(latest)) return false;
  return latest.state === 'created' || restartsInstance(facts, latest, policy);
}

/** Whether the policy asks for another instance after one that exited. */
export function restartsInstance(facts: PodFacts, instance: ObservedContainer, policy: RestartPolicy): boolean {
  if (facts.toRestart.has(instance.id) || facts.restartNow?.has(instance.id)) return true;
  return restartsAfter(policy, instance.exitCode ?? 0);
}

/** The next start of a container, or the time to wait for. */
export function startContainer(
  facts: PodFacts,
  container: Container,
  role: ContainerRole,
  targetId?: string,
): PartialPlan {
  const startAt = startTimeOf(facts, container);
  if (startAt > facts.now) return { actions: [], waits: [startAt, ...statusChanges(facts, container)] };
  const [latest] = instancesOf(facts.observed, container.name);
  const backoff = latest?.state === 'exited' ? backoffAfter(facts, container, latest) : undefined;
  const start: PodAction = {
    kind: 'start-container',
    name: container.name,
    role,
    attempt: nextAttempt(facts, container.name),
    ...(targetId !== undefined && { targetId }),
    ...(backoff && { backoff }),
  };
  // An instance that was created and never started keeps its name reserved.
  const leftover: readonly PodAction[] =
    latest?.state === 'created' ? [{ kind: 'remove-container', id: latest.id, name: latest.name }] : [];
  return { actions: [...leftover, start], waits: [] };
}

/** When the status of a container that waits for its next start changes by itself. */
function statusChanges({ failures, now }: PodFacts, { name }: Container): readonly number[] {
  const failure = failures.get(name);
  const end = failure && pullErrorEnd(failure);
  return end !== undefined && end > now ? [end] : [];
}

/** When a container that does not run may be started: not before its back-off and the retry of a failed start. */
function startTimeOf(facts: PodFacts, container: Container): number {
  const [latest] = instancesOf(facts.observed, container.name);
  const failure = facts.failures.get(container.name);
  return Math.max(crashLoopEnd(facts, container, latest), startRetryTime(failure, facts.now));
}

/** When the back-off of an instance that exited ends; now, or earlier, if it does not wait. */
export function crashLoopEnd(facts: PodFacts, container: Container, latest: ObservedContainer | undefined): number {
  if (latest?.state !== 'exited' || facts.restartNow?.has(latest.id)) return facts.now;
  const entry = facts.backoffs.get(container.name);
  return retryTime(entry, containerHash(container), latest.finishedAt ?? latest.createdAt, facts.now);
}

/** How a container ended that the runtime no longer knows. */
function recordedEnd({ recorded }: PodFacts, name: string): Terminated | undefined {
  return allStatuses(recorded).find((status) => status.name === name)?.state.terminated;
}

function backoffAfter(facts: PodFacts, container: Container, latest: ObservedContainer) {
  const entry = facts.backoffs.get(container.name);
  return nextBackoff(entry, containerHash(container), latest.finishedAt ?? latest.createdAt, facts.now);
}

function nextAttempt({ observed, loggedAttempts, recorded }: PodFacts, name: string): number {
  const [latest] = instancesOf(observed, name);
  const status = allStatuses(recorded).find((candidate) => candidate.name === name);
  // The log of an instance that was created and removed, and never ran, is there all the same.
  if (latest === undefined && status !== undefined && !hasRun(status)) return status.restartCount;
  if (latest === undefined) return (loggedAttempts.get(name) ?? -1) + 1;
  return latest.state === 'created' ? latest.attempt : latest.attempt + 1;
}

function hasRun({ state, lastState }: ContainerStatus): boolean {
  return [state.running, state.terminated, lastState.terminated].some((each) => each !== undefined);
}

function restartsAfter(policy: RestartPolicy, exitCode: number): boolean {
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}
