import { instancesOf, type ObservedContainer } from '../observed.ts';
import type { Container } from '../pod/container-fields.ts';
import type { ContainerState, ContainerStatus } from '../pod/status-fields.ts';
import type { ContainerRole } from '../plan/pod-plan.ts';
import { allStatuses, isReady, isStarted } from '../plan/readiness.ts';
import { exitedState, observedState, unknownEnd, VANISHED } from './container-state.ts';
import type { StatusFacts } from './status-facts.ts';
import { firstWait, holdBack } from './waiting.ts';

/** The status of one container. */
export function containerStatus(facts: StatusFacts, container: Container, role: ContainerRole): ContainerStatus {
  const recorded = allStatuses(facts.recorded).find(({ name }) => name === container.name);
  const [latest, previous] = instancesOf(facts.observed, container.name);
  const status =
    latest === undefined
      ? unobserved(facts, container, recorded)
      : observed(facts, container, { latest, previous, recorded });
  const waits = heldBack(facts, container, role, status);
  return role === 'ephemeral' ? waits : withReadiness(facts, container, role, waits, latest);
}

interface Instances {
  readonly latest: ObservedContainer;
  readonly previous: ObservedContainer | undefined;
  readonly recorded: ContainerStatus | undefined;
}

function observed(facts: StatusFacts, container: Container, instances: Instances): ContainerStatus {
  const { latest, previous, recorded } = instances;
  const containerID = `${facts.runtimeName}://${latest.id}`;
  const isLost = latest.state === 'unknown' && recorded?.state.running !== undefined;
  return {
    name: container.name,
    image: latest.image,
    imageID: latest.imageId,
    containerID,
    restartCount: isLost ? recorded.restartCount + 1 : latest.attempt,
    ready: false,
    state: observedState(latest, recorded, containerID) ?? { waiting: firstWait(facts) },
    lastState: previous?.state === 'exited' ? lastEnd(facts, previous) : recordedLastEnd(containerID, recorded),
  };
}

function lastEnd({ runtimeName }: StatusFacts, previous: ObservedContainer): ContainerState {
  return { terminated: exitedState(previous, `${runtimeName}://${previous.id}`) };
}

/** How the instance before this one ended, if the runtime has forgotten it. */
function recordedLastEnd(containerID: string, recorded: ContainerStatus | undefined): ContainerState {
  const ended = recorded?.state.terminated;
  const isFormer = recorded?.containerID !== containerID;
  return ended !== undefined && isFormer ? { terminated: ended } : (recorded?.lastState ?? {});
}

/** The status of a container that the runtime does not know: as it was reported last, if it ever was. */
function unobserved(facts: StatusFacts, container: Container, recorded: ContainerStatus | undefined): ContainerStatus {
  if (recorded?.state.terminated) return { ...recorded, ready: false, started: false };
  const vanished = recorded?.state.running !== undefined && !recorded.lastState.terminated;
  const isDeleted = facts.pod.metadata.deletionTimestamp !== undefined;
  return {
    name: container.name,
    image: container.image,
    imageID: '',
    restartCount: (recorded?.restartCount ?? 0) + (vanished && !isDeleted ? 1 : 0),
    ready: false,
    state: { waiting: firstWait(facts) },
    lastState: vanished ? { terminated: unknownEnd(VANISHED) } : (recorded?.lastState ?? {}),
  };
}

/** A container that waits to be started again shows its end as its last state. */
function heldBack(
  facts: StatusFacts,
  container: Container,
  role: ContainerRole,
  status: ContainerStatus,
): ContainerStatus {
  const waiting = holdBack(facts, container, role);
  if (waiting === undefined) return status;
  const { terminated } = status.state;
  return { ...status, state: { waiting }, lastState: terminated ? { terminated } : status.lastState };
}

function withReadiness(
  facts: StatusFacts,
  container: Container,
  role: ContainerRole,
  status: ContainerStatus,
  latest: ObservedContainer | undefined,
): ContainerStatus {
  const runs = latest !== undefined && status.state.running !== undefined;
  const started = runs && isStarted(facts, container, latest);
  const done = status.state.terminated?.exitCode === 0;
  return { ...status, started, ready: role === 'init' ? done : runs && isReady(facts, container, latest) };
}
