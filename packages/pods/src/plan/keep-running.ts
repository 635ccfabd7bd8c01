import type { PodFacts } from '../facts.ts';
import { containerHash } from '../identity/container-hash.ts';
import { normalImageName } from '../images/image-name.ts';
import { instancesOf, isAlive, type ObservedContainer } from '../observed.ts';
import type { Container } from '../pod/container-fields.ts';
import type { ContainerRole, KillContainer, KillReason, PartialPlan } from './pod-plan.ts';
import { NOTHING_TO_DO } from './pod-plan.ts';
import { needsInstance, restartPolicyOf, startContainer } from './start.ts';

/** What a container needs that should run as long as its policy says. */
export function keepRunning(facts: PodFacts, container: Container, role: ContainerRole): PartialPlan {
  const policy = restartPolicyOf(facts.pod.spec, role);
  const [latest] = instancesOf(facts.observed, container.name);
  if (latest !== undefined && isAlive(latest)) {
    const kill = killOf(facts, container, latest, policy !== 'Never');
    return kill === undefined ? NOTHING_TO_DO : { actions: [kill], waits: [] };
  }
  return needsInstance(facts, container.name, policy) ? startContainer(facts, container, role) : NOTHING_TO_DO;
}

/** Whether a container runs or is to run again: as long as one does, its pod goes on. */
export function goesOn(facts: PodFacts, container: Container, role: ContainerRole): boolean {
  const policy = restartPolicyOf(facts.pod.spec, role);
  const [latest] = instancesOf(facts.observed, container.name);
  if (latest === undefined || !isAlive(latest)) return needsInstance(facts, container.name, policy);
  // A container that is stopped permanently does not keep its pod running, but the pod waits until it has stopped.
  return true;
}

/**
 * Whether the image of a container was changed. The hash of another kind of agent says nothing, so then the names of
 * the images are compared.
 */
function isChanged(container: Container, instance: ObservedContainer): boolean {
  if (instance.hash === containerHash(container)) return false;
  return !instance.image.startsWith('sha256:') && normalImageName(instance.image) !== normalImageName(container.image);
}

function killOf(
  facts: PodFacts,
  container: Container,
  instance: ObservedContainer,
  restarts: boolean,
): KillContainer | undefined {
  const found = whyKill(facts, container, instance);
  if (found === undefined) return undefined;
  return {
    kind: 'kill-container',
    id: instance.id,
    name: instance.name,
    graceSeconds: found.graceSeconds ?? facts.pod.spec.terminationGracePeriodSeconds,
    reason: found.reason,
    restart: restarts || found.reason === 'definition-changed' || found.reason === 'restart-requested',
  };
}

interface KillCause {
  readonly reason: KillReason;
  readonly graceSeconds?: number | undefined;
}

function whyKill(facts: PodFacts, container: Container, instance: ObservedContainer): KillCause | undefined {
  if (instance.state === 'unknown') return { reason: 'state-unknown' };
  if (isChanged(container, instance)) return { reason: 'definition-changed' };
  if (facts.restartNow?.has(instance.id)) return { reason: 'restart-requested' };
  const { liveness, startup } = facts.probes.get(instance.id) ?? {};
  if (liveness === 'failure') {
    return { reason: 'liveness-failed', graceSeconds: container.livenessProbe?.terminationGracePeriodSeconds };
  }
  if (startup === 'failure') {
    return { reason: 'startup-failed', graceSeconds: container.startupProbe?.terminationGracePeriodSeconds };
  }
  return undefined;
}
