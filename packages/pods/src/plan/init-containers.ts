import type { PodFacts } from '../facts.ts';
import { instancesOf, isAlive, type ObservedContainer, type ObservedPod } from '../observed.ts';
import type { Container } from '../pod/container-fields.ts';
import { isSidecar } from '../pod/pod.ts';
import { keepRunning } from './keep-running.ts';
import { joinPlans, NOTHING_TO_DO, type PartialPlan, type PodAction } from './pod-plan.ts';
import { isStarted } from './readiness.ts';
import { restartPolicyOf, restartsInstance, startContainer } from './start.ts';

/** How far the initialisation of a pod is in its sandbox, and what it needs next. */
export interface Initialization {
  readonly state: 'done' | 'in-progress' | 'failed';
  readonly plan: PartialPlan;
}

/**
 * Plans the init containers. Only what ran in this sandbox counts: a new sandbox starts with the first one again. A
 * later container that exists proves that the earlier ones were done, even where they were collected since.
 */
export function planInitialization(facts: PodFacts, sandboxId: string): Initialization {
  const { initContainers = [] } = facts.pod.spec;
  const reached = reachedIndex(facts, sandboxId);
  const sidecars = joinPlans(
    ...initContainers
      .slice(0, reached)
      .filter(isSidecar)
      .map((container) => keepRunning(facts, container, 'sidecar')),
  );
  const current = initContainers[reached];
  if (current === undefined) return { state: 'done', plan: sidecars };
  const { plan, state } = planCurrent(facts, current, instanceIn(facts.observed, current.name, sandboxId));
  if (state !== 'done') return { state, plan: joinPlans(sidecars, plan) };
  const next = initContainers[reached + 1];
  const following = next === undefined ? NOTHING_TO_DO : startContainer(facts, next, roleOf(next));
  return { state: next === undefined ? 'done' : 'in-progress', plan: joinPlans(sidecars, plan, following) };
}

/** Removes instances of init containers that exited before their last one. */
export function pruneInitContainers({ pod, observed }: PodFacts): readonly PodAction[] {
  return (pod.spec.initContainers ?? []).flatMap(({ name }) => {
    const ended = instancesOf(observed, name).filter(({ state }) => state === 'exited');
    return ended.slice(1).map(({ id }) => ({ kind: 'remove-container' as const, id, name }));
  });
}

/** The role of an init container. */
export function roleOf(container: Container): 'init' | 'sidecar' {
  return isSidecar(container) ? 'sidecar' : 'init';
}

/** The index of the last init container that has an instance in the sandbox; past the end once a regular one has. */
function reachedIndex({ pod, observed }: PodFacts, sandboxId: string): number {
  const { containers, initContainers = [] } = pod.spec;
  if (containers.some(({ name }) => instanceIn(observed, name, sandboxId))) return initContainers.length;
  const reached = initContainers.findLastIndex(({ name }) => instanceIn(observed, name, sandboxId));
  return Math.max(reached, 0);
}

function planCurrent(facts: PodFacts, container: Container, instance: ObservedContainer | undefined): Initialization {
  if (isSidecar(container)) {
    const started = instance !== undefined && isStarted(facts, container, instance);
    return { state: started ? 'done' : 'in-progress', plan: planSidecar(facts, container, instance) };
  }
  if (instance === undefined || instance.state === 'created')
    return inProgress(startContainer(facts, container, 'init'));
  if (isAlive(instance)) return inProgress(keepRunning(facts, container, 'init'));
  if (instance.exitCode === 0 && !facts.toRestart.has(instance.id)) return { state: 'done', plan: NOTHING_TO_DO };
  const restarts = restartsInstance(facts, instance, restartPolicyOf(facts.pod.spec, 'init'));
  return restarts ? inProgress(startContainer(facts, container, 'init')) : { state: 'failed', plan: NOTHING_TO_DO };
}

function planSidecar(facts: PodFacts, container: Container, instance: ObservedContainer | undefined): PartialPlan {
  return instance === undefined
    ? startContainer(facts, container, 'sidecar')
    : keepRunning(facts, container, 'sidecar');
}

function inProgress(plan: PartialPlan): Initialization {
  return { state: 'in-progress', plan };
}

function instanceIn(observed: ObservedPod, name: string, sandboxId: string): ObservedContainer | undefined {
  return instancesOf(observed, name).find((instance) => instance.sandboxId === sandboxId);
}
