import type { PodFacts } from '../facts.ts';
import { isAlive, type ObservedContainer, type ObservedPod } from '../observed.ts';
import { isSidecar } from '../pod/pod.ts';
import type { KillContainer, PodAction, PodEnding, PodPlan } from './pod-plan.ts';

/** Even a pod whose grace period has passed gets this long to stop, unless it is forced. */
const MIN_GRACE_SECONDS = 2;

/**
 * Plans the end of a pod: first its containers at the same time, then its sidecars in reverse order within what is left
 * of the grace period, then its sandboxes.
 */
export function planTermination(facts: PodFacts, ending: PodEnding): PodPlan {
  const { observed } = facts;
  const alive = observed.containers.filter(isAlive);
  const stopping = nextToStop(facts, alive);
  const graceSeconds = remainingGrace(facts, ending);
  const kills = stopping.map((instance) => killForEnd(instance, graceSeconds));
  const actions = alive.length > 0 ? kills : stopSandboxes(observed);
  return { stage: actions.length > 0 ? 'terminating' : 'terminated', actions, ending };
}

/** Plans the removal of a pod of which only the runtime knows. */
export function planOrphan<Instance extends ObservedContainer>(
  observed: Pick<ObservedPod, 'sandboxes'> & { readonly containers: readonly Instance[] },
  graceSeconds: (container: Instance) => number,
): PodPlan {
  const kills = observed.containers.filter(isAlive).map((instance) => killForEnd(instance, graceSeconds(instance)));
  const actions = kills.length > 0 ? kills : stopSandboxes(observed);
  return { stage: actions.length > 0 ? 'terminating' : 'terminated', actions };
}

/** The timeout for the runtime to stop a container, after a preStop hook has used some of the grace period. */
export function stopTimeoutSeconds(graceSeconds: number, spentSeconds: number): number {
  return graceSeconds === 0 ? 0 : Math.max(MIN_GRACE_SECONDS, Math.ceil(graceSeconds - spentSeconds));
}

/** Sidecars outlive the other containers, and each outlives the sidecars after it. */
function nextToStop({ pod }: PodFacts, alive: readonly ObservedContainer[]): readonly ObservedContainer[] {
  const sidecars = (pod.spec.initContainers ?? []).filter(isSidecar).map(({ name }) => name);
  const others = alive.filter(({ name }) => !sidecars.includes(name));
  if (others.length > 0) return others;
  const last = sidecars.findLast((sidecar) => alive.some(({ name }) => name === sidecar));
  return alive.filter(({ name }) => name === last);
}

function remainingGrace({ endingSince, now }: PodFacts, { graceSeconds }: PodEnding): number {
  const spent = Math.max(0, now - (endingSince ?? now)) / 1000;
  return stopTimeoutSeconds(graceSeconds, spent);
}

function killForEnd({ id, name }: ObservedContainer, graceSeconds: number): KillContainer {
  return { kind: 'kill-container', id, name, graceSeconds, reason: 'pod-ends', restart: false };
}

function stopSandboxes({ sandboxes }: Pick<ObservedPod, 'sandboxes'>): readonly PodAction[] {
  return sandboxes.filter(({ ready }) => ready).map(({ id }) => ({ kind: 'stop-sandbox', id }));
}
