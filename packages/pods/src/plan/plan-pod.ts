import { type PodFacts, startRetryTime } from '../facts.ts';
import { instancesOf, isAlive, newestSandbox, type ObservedContainer } from '../observed.ts';
import { completion, deadlineOf, podEnding } from './ending.ts';
import { planEphemeralContainers } from './ephemeral-containers.ts';
import { planInitialization, pruneInitContainers, roleOf } from './init-containers.ts';
import { goesOn, keepRunning } from './keep-running.ts';
import {
  joinPlans,
  NOTHING_TO_DO,
  type KillReason,
  type PartialPlan,
  type PodAction,
  type PodPlan,
} from './pod-plan.ts';
import { sandboxNeed } from './sandbox.ts';
import { needsInstance, startContainer } from './start.ts';
import { planTermination } from './termination.ts';

/**
 * Decides what to do next about one pod. After the actions the runtime has to be asked again: a plan that was made from
 * an older report could start something twice.
 */
export function planPod(facts: PodFacts): PodPlan {
  const ending = podEnding(facts);
  if (ending !== undefined) return planTermination(facts, ending);
  const work = planWork(facts);
  if (work === undefined) return planTermination(facts, completion(facts));
  return { stage: 'running', actions: inOrder(work.actions), ...wake(facts, work.waits) };
}

/** What a pod needs that may run; undefined if nothing of it runs or is to run. */
function planWork(facts: PodFacts): PartialPlan | undefined {
  const need = sandboxNeed(facts);
  if (need.kind === 'end') return undefined;
  return need.kind === 'replace' ? replaceSandbox(facts, need.attempt) : planContainers(facts, need.sandbox.id);
}

/** Stops what is left in former sandboxes, then starts the pod from its beginning. */
function replaceSandbox(facts: PodFacts, attempt: number): PartialPlan {
  const { observed, sandboxFailure } = facts;
  const kills = observed.containers.filter(isAlive).map((instance) => replace(facts, instance, 'sandbox-replaced'));
  const ready = observed.sandboxes.filter((sandbox) => sandbox.ready);
  if (kills.length > 0 || ready.length > 0) return { actions: [...kills, ...ready.map(stopSandbox)], waits: [] };
  const retryAt = startRetryTime(sandboxFailure, facts.now);
  if (retryAt > facts.now) return { actions: [], waits: [retryAt] };
  // A sandbox that ended by itself still has its addresses and ports.
  const former = newestSandbox(observed);
  const create: readonly PodAction[] = [
    ...(former === undefined ? [] : [stopSandbox(former)]),
    { kind: 'create-sandbox', attempt },
  ];
  return joinPlans({ actions: create, waits: [] }, firstStarts(facts));
}

/** What is started in a new sandbox: the first init container, or all regular ones that have not done their work. */
function firstStarts(facts: PodFacts): PartialPlan {
  const { containers, initContainers = [], restartPolicy } = facts.pod.spec;
  const [first] = initContainers;
  if (first !== undefined) return joinPlans(pruning(facts), startContainer(facts, first, roleOf(first)));
  const unfinished = containers.filter(({ name }) => needsInstance(facts, name, restartPolicy));
  return joinPlans(...unfinished.map((container) => startContainer(facts, container, 'regular')));
}

function planContainers(facts: PodFacts, sandboxId: string): PartialPlan | undefined {
  const { containers } = facts.pod.spec;
  const stray = strays(facts, sandboxId);
  if (stray.length > 0) return { actions: stray, waits: [] };
  const ephemeral = planEphemeralContainers(facts, sandboxId);
  const initialization = planInitialization(facts, sandboxId);
  if (initialization.state === 'failed') return undefined;
  const before = joinPlans(pruning(facts), ephemeral, initialization.plan);
  if (initialization.state === 'in-progress') return before;
  if (!containers.some((container) => goesOn(facts, container, 'regular'))) return undefined;
  return joinPlans(before, ...containers.map((container) => keepRunning(facts, container, 'regular')));
}

/** Running instances that nothing should run any more: of other sandboxes, of former attempts, of no container of the pod. */
function strays(facts: PodFacts, sandboxId: string): readonly PodAction[] {
  const { containers, initContainers = [], ephemeralContainers = [] } = facts.pod.spec;
  const names = new Set([...containers, ...initContainers, ...ephemeralContainers].map(({ name }) => name));
  return facts.observed.containers.filter(isAlive).flatMap((instance) => {
    if (instance.sandboxId !== sandboxId) return [replace(facts, instance, 'sandbox-replaced')];
    // An ephemeral container is never started again, so nothing else stops one whose state is lost.
    const isLost = instance.state === 'unknown' && ephemeralContainers.some(({ name }) => name === instance.name);
    if (isLost) return [replace(facts, instance, 'state-unknown')];
    const isNewest = instancesOf(facts.observed, instance.name)[0]?.id === instance.id;
    return isNewest && names.has(instance.name) ? [] : [replace(facts, instance, 'superseded')];
  });
}

function pruning(facts: PodFacts): PartialPlan {
  const actions = pruneInitContainers(facts);
  return actions.length === 0 ? NOTHING_TO_DO : { actions, waits: [] };
}

function replace({ pod }: PodFacts, { id, name }: ObservedContainer, reason: KillReason): PodAction {
  const { restartPolicy, terminationGracePeriodSeconds: graceSeconds } = pod.spec;
  const restart = reason === 'sandbox-replaced' && restartPolicy !== 'Never';
  return { kind: 'kill-container', id, name, graceSeconds, reason, restart };
}

function stopSandbox({ id }: { readonly id: string }): PodAction {
  return { kind: 'stop-sandbox', id };
}

function inOrder(actions: readonly PodAction[]): readonly PodAction[] {
  return [...actions.filter(isKill), ...actions.filter((action) => !isKill(action))];
}

function isKill({ kind }: PodAction): boolean {
  return kind === 'kill-container';
}

function wake(facts: PodFacts, waits: readonly number[]): Pick<PodPlan, 'wakeAt'> {
  const deadline = deadlineOf(facts);
  const times = deadline === undefined ? waits : [...waits, deadline];
  return times.length === 0 ? {} : { wakeAt: Math.min(...times) };
}
