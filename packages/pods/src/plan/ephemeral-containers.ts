import type { PodFacts } from '../facts.ts';
import { instancesOf } from '../observed.ts';
import type { Container } from '../pod/container-fields.ts';
import { joinPlans, NOTHING_TO_DO, type PartialPlan } from './pod-plan.ts';
import { startContainer } from './start.ts';

/** Plans the ephemeral containers. Each is started once, as soon as its target runs, and never again. */
export function planEphemeralContainers(facts: PodFacts, sandboxId: string): PartialPlan {
  const { ephemeralContainers = [] } = facts.pod.spec;
  return joinPlans(...ephemeralContainers.map((container) => planOne(facts, container, sandboxId)));
}

/** The running instance an ephemeral container asks for; undefined while it does not run, or if it asks for none. */
export function targetOf({ observed }: PodFacts, { targetContainerName }: Container): string | undefined {
  if (targetContainerName === undefined) return undefined;
  return instancesOf(observed, targetContainerName).find(({ state }) => state === 'running')?.id;
}

function planOne(facts: PodFacts, container: Container, sandboxId: string): PartialPlan {
  const targetId = targetOf(facts, container);
  const lacksTarget = container.targetContainerName !== undefined && targetId === undefined;
  if (lacksTarget || wasStarted(facts, container.name, sandboxId)) return NOTHING_TO_DO;
  return startContainer(facts, container, 'ephemeral', targetId);
}

/** Whether a container was ever started, by the runtime or by the last status. */
function wasStarted({ observed, recorded }: PodFacts, name: string, sandboxId: string): boolean {
  const [latest] = instancesOf(observed, name);
  if (latest !== undefined) return latest.state !== 'created' || latest.sandboxId !== sandboxId;
  const status = recorded?.ephemeralContainerStatuses?.find((candidate) => candidate.name === name);
  return status?.state.running !== undefined || status?.state.terminated !== undefined;
}
