import type { Container } from '../pod/container-fields.ts';
import { isSidecar, type PodSpec } from '../pod/pod.ts';
import type { ContainerStatus, PodPhase, Terminated } from '../pod/status-fields.ts';

/** What the phase of a pod depends on. */
export interface PhaseFacts {
  readonly spec: Pick<PodSpec, 'containers' | 'initContainers' | 'restartPolicy'>;
  /** The status of all init containers and regular containers. */
  readonly statuses: readonly ContainerStatus[];
  /** Whether everything of the pod has stopped and nothing starts any more. Never set for static pods. */
  readonly terminated: boolean;
}

/** The phase of a pod, by the rules of a kubelet. */
export function podPhase(facts: PhaseFacts): PodPhase {
  const { spec, statuses, terminated } = facts;
  const init = countInit(facts);
  const counts = countRunning(facts);
  if (init.failed > 0 && spec.restartPolicy === 'Never') return 'Failed';
  const sidecarsPending = init.sidecarsPending > 0 && !hasStarted(spec.containers, statuses);
  if (init.pending > 0 || sidecarsPending || counts.waiting > 0) return 'Pending';
  if (counts.unknown > 0) return 'Pending';
  if (counts.running > 0) return 'Running';
  if (counts.stopped === 0) return 'Pending';
  if (terminated) return counts.stopped === counts.succeeded ? 'Succeeded' : 'Failed';
  if (spec.restartPolicy === 'Always') return 'Running';
  if (counts.stopped === counts.succeeded) return 'Succeeded';
  return spec.restartPolicy === 'Never' ? 'Failed' : 'Running';
}

/** Whether a regular container runs or has run. */
export function hasStarted(containers: readonly Container[], statuses: readonly ContainerStatus[]): boolean {
  return containers.some(({ name }) => {
    const { state } = statuses.find((status) => status.name === name) ?? {};
    return state?.running !== undefined || state?.terminated !== undefined;
  });
}

interface InitCounts {
  readonly pending: number;
  readonly failed: number;
  readonly sidecarsPending: number;
}

function countInit({ spec, statuses }: PhaseFacts): InitCounts {
  const { initContainers = [] } = spec;
  const plain = initContainers.filter((container) => !isSidecar(container)).map((each) => statusOf(statuses, each));
  const sidecars = initContainers.filter(isSidecar).map((each) => statusOf(statuses, each));
  return {
    pending: plain.filter((status) => endOf(status) === undefined).length,
    failed: plain.filter((status) => (endOf(status)?.exitCode ?? 0) !== 0).length,
    sidecarsPending: sidecars.filter((status) => status !== undefined && isPending(status)).length,
  };
}

function isPending(status: ContainerStatus): boolean {
  return status.state.running ? status.started !== true : endOf(status) === undefined;
}

/** How a container ended that does not run: now, or before it began to wait for the next start. */
function endOf(status: ContainerStatus | undefined): Terminated | undefined {
  if (status === undefined || status.state.running) return undefined;
  return status.state.terminated ?? (status.state.waiting && status.lastState.terminated);
}

interface Counts {
  readonly unknown: number;
  readonly running: number;
  readonly waiting: number;
  readonly stopped: number;
  readonly succeeded: number;
}

/** Sidecars count as running and waiting, but how they end never matters. */
function countRunning({ spec, statuses }: PhaseFacts): Counts {
  const sidecars = (spec.initContainers ?? []).filter(isSidecar).map((each) => kindOf(statusOf(statuses, each)));
  const regular = spec.containers.map((each) => kindOf(statusOf(statuses, each)));
  const all = [...sidecars, ...regular];
  return {
    unknown: count(all, 'unknown'),
    running: count(all, 'running'),
    waiting: count(all, 'waiting'),
    stopped: count(regular, 'succeeded', 'stopped'),
    succeeded: count(regular, 'succeeded'),
  };
}

function count(kinds: readonly StateKind[], ...wanted: readonly StateKind[]): number {
  return kinds.filter((kind) => wanted.includes(kind)).length;
}

type StateKind = 'unknown' | 'running' | 'waiting' | 'stopped' | 'succeeded';

function kindOf(status: ContainerStatus | undefined): StateKind {
  if (status?.state.running) return 'running';
  if (status?.state.terminated) return status.state.terminated.exitCode === 0 ? 'succeeded' : 'stopped';
  if (status?.state.waiting) return status.lastState.terminated ? 'stopped' : 'waiting';
  return 'unknown';
}

function statusOf(statuses: readonly ContainerStatus[], { name }: Container): ContainerStatus | undefined {
  return statuses.find((status) => status.name === name);
}
