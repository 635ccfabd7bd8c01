import type { PodFacts } from '../facts.ts';
import type { ObservedContainer } from '../observed.ts';
import type { Container } from '../pod/container-fields.ts';
import type { ContainerStatus, PodStatus } from '../pod/status-fields.ts';

/** Whether a container has started as far as others wait for it: it runs, its hook ended, its startup probe succeeded. */
export function isStarted(facts: PodFacts, container: Container, instance: ObservedContainer): boolean {
  if (instance.state !== 'running' || facts.starting.has(instance.id)) return false;
  if (container.startupProbe === undefined) return true;
  const verdict = facts.probes.get(instance.id)?.startup;
  return verdict === undefined ? recordedStatusOf(facts, instance)?.started === true : verdict === 'success';
}

/** Whether a container can serve. Until the first result after a restart of the agent, the last report counts. */
export function isReady(facts: PodFacts, container: Container, instance: ObservedContainer): boolean {
  if (!isStarted(facts, container, instance)) return false;
  if (container.readinessProbe === undefined) return true;
  const verdict = facts.probes.get(instance.id)?.readiness;
  return verdict === undefined ? recordedStatusOf(facts, instance)?.ready === true : verdict === 'success';
}

/** The status of all containers of a pod, of every role. */
export function allStatuses(status: PodStatus | undefined): readonly ContainerStatus[] {
  return [
    ...(status?.initContainerStatuses ?? []),
    ...(status?.containerStatuses ?? []),
    ...(status?.ephemeralContainerStatuses ?? []),
  ];
}

function recordedStatusOf({ recorded }: PodFacts, { id }: ObservedContainer): ContainerStatus | undefined {
  return allStatuses(recorded).find(({ containerID }) => containerID?.endsWith(`://${id}`));
}
