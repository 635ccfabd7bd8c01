import { qualityOfService } from '@fenestra/contracts/objects';
import { newestSandbox } from '../observed.ts';
import type { Container } from '../pod/container-fields.ts';
import { isSidecar, isStaticPod } from '../pod/pod.ts';
import type { ContainerStatus, PodPhase, PodStatus } from '../pod/status-fields.ts';
import type { ContainerRole, PodEnding } from '../plan/pod-plan.ts';
import { podConditions } from './conditions.ts';
import { NOT_LOCATED, unknownEnd } from './container-state.ts';
import { containerStatus } from './container-status.ts';
import { podPhase } from './phase.ts';
import { apiTime, type StatusFacts } from './status-facts.ts';

/** The status of a pod as its node reports it. */
export function podStatus(facts: StatusFacts): PodStatus {
  const { pod, ending, observed } = facts;
  if (ending?.cause === 'rejected' && observed.containers.length === 0) return rejectedStatus(facts, ending);
  const { containers, initContainers = [], ephemeralContainers = [] } = pod.spec;
  const statuses = {
    initContainerStatuses: initContainers.map((container) => statusOf(facts, container, initRole(container))),
    containerStatuses: containers
      .map((container) => statusOf(facts, container, 'regular'))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    ephemeralContainerStatuses: ephemeralContainers.map((container) => statusOf(facts, container, 'ephemeral')),
  };
  const outcome = phaseOf(facts, [...statuses.initContainerStatuses, ...statuses.containerStatuses]);
  return {
    ...outcome,
    startTime: apiTime(facts.startTime),
    qosClass: qualityOfService(pod),
    ...addresses(facts),
    conditions: podConditions(facts, { ...statuses, phase: outcome.phase }),
    containerStatuses: statuses.containerStatuses,
    ...(initContainers.length > 0 && { initContainerStatuses: statuses.initContainerStatuses }),
    ...(ephemeralContainers.length > 0 && { ephemeralContainerStatuses: statuses.ephemeralContainerStatuses }),
  };
}

/** The status of a pod that this node has refused, so that there is nothing to say about its containers. */
function rejectedStatus({ pod, startTime }: StatusFacts, { reason, message }: PodEnding): PodStatus {
  return {
    phase: 'Failed',
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message }),
    startTime: apiTime(startTime),
    qosClass: qualityOfService(pod),
  };
}

function initRole(container: Container): ContainerRole {
  return isSidecar(container) ? 'sidecar' : 'init';
}

/** Once nothing of the pod runs any more, no container is reported as running or about to start. */
function statusOf(facts: StatusFacts, container: Container, role: ContainerRole): ContainerStatus {
  const status = containerStatus(facts, container, role);
  if (facts.stage !== 'terminated' || status.state.terminated) return status;
  if (role !== 'regular' && status.containerID === undefined) return status;
  return { ...status, state: { terminated: unknownEnd(NOT_LOCATED) } };
}

type Outcome = Pick<PodStatus, 'phase' | 'reason' | 'message'>;

/** The phase, with the reason that belongs to it. A final phase stays as it was reported. */
function phaseOf(facts: StatusFacts, statuses: readonly ContainerStatus[]): Outcome {
  const { pod, recorded, ending, stage } = facts;
  if (recorded !== undefined && isFinal(recorded.phase)) return reasoned(recorded.phase, recorded);
  const terminated = stage === 'terminated' && !isStaticPod(pod);
  const phase = podPhase({ spec: pod.spec, statuses, terminated });
  // The phase becomes final only when nothing can run any more.
  if (stage !== 'terminated') return { phase: isFinal(phase) ? (recorded?.phase ?? 'Pending') : phase };
  if (ending?.reason !== undefined) return reasoned('Failed', ending);
  return { phase: isFinal(phase) ? phase : 'Failed' };
}

function isFinal(phase: PodPhase): boolean {
  return phase === 'Succeeded' || phase === 'Failed';
}

function reasoned(phase: PodPhase, { reason, message }: Partial<Pick<PodStatus, 'reason' | 'message'>>): Outcome {
  return { phase, ...(reason !== undefined && { reason }), ...(message !== undefined && { message }) };
}

/** The addresses of the pod and of its node. A pod keeps its last addresses when its sandbox has stopped. */
function addresses({ observed, pod, hostIps, recorded }: StatusFacts): Partial<PodStatus> {
  const own = newestSandbox(observed)?.ips ?? [];
  const known = own.length > 0 ? own : (recorded?.podIPs ?? []).map(({ ip }) => ip);
  const ips = pod.spec.hostNetwork === true && newestSandbox(observed) !== undefined ? hostIps : known;
  return {
    ...(hostIps[0] !== undefined && { hostIP: hostIps[0], hostIPs: hostIps.map((ip) => ({ ip })) }),
    ...(ips[0] !== undefined && { podIP: ips[0], podIPs: ips.map((ip) => ({ ip })) }),
  };
}
