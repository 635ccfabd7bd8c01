import { newestSandbox } from '../observed.ts';
import { isSidecar } from '../pod/pod.ts';
import type { ContainerStatus, PodCondition, PodPhase, PodStatus } from '../pod/status-fields.ts';
import { hasStarted } from './phase.ts';
import { apiTime, type StatusFacts } from './status-facts.ts';

/** The conditions that a node sets. Those of others are left alone. */
const OWN_CONDITIONS: ReadonlySet<string> = new Set([
  'PodReadyToStartContainers',
  'Initialized',
  'Ready',
  'ContainersReady',
  'PodScheduled',
  'DisruptionTarget',
]);

/** Whether a node sets conditions of this type. */
export function isOwnCondition(type: string): boolean {
  return OWN_CONDITIONS.has(type);
}

type Reported = Pick<PodStatus, 'initContainerStatuses' | 'containerStatuses'> & { readonly phase: PodPhase };

/** The conditions of a pod. The time of each changes only with its status. */
export function podConditions(facts: StatusFacts, status: Reported): PodCondition[] {
  const containersReady = containersReadyCondition(facts, status);
  const conditions: readonly Condition[] = [
    { type: 'PodReadyToStartContainers', ...outcome(hasNetwork(facts)) },
    { type: 'Initialized', ...initialized(facts, status) },
    { type: 'Ready', ...(containersReady.status === 'True' ? gatesReady(facts) : containersReady) },
    { type: 'ContainersReady', ...containersReady },
    { type: 'PodScheduled', status: 'True' },
    ...disruption(facts),
    ...(facts.otherConditions ?? []),
  ];
  return conditions.map((condition) => ({ ...condition, lastTransitionTime: transitionTime(facts, condition) }));
}

interface Outcome {
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

interface Condition extends Outcome {
  readonly type: string;
}

function outcome(holds: boolean): Outcome {
  return { status: holds ? 'True' : 'False' };
}

function transitionTime({ recorded, now }: StatusFacts, { type, status }: Condition): string {
  const before = recorded?.conditions?.find((condition) => condition.type === type);
  return before?.status === status && before.lastTransitionTime !== undefined
    ? before.lastTransitionTime
    : apiTime(now);
}

function hasNetwork({ observed, pod }: StatusFacts): boolean {
  const sandbox = newestSandbox(observed);
  return sandbox?.ready === true && (pod.spec.hostNetwork === true || sandbox.ips.length > 0);
}

function initialized({ pod }: StatusFacts, status: Reported): Outcome {
  const { containers, initContainers = [] } = pod.spec;
  const statuses = status.initContainerStatuses ?? [];
  const unknown = initContainers.filter(({ name }) => !statuses.some((each) => each.name === name));
  const incomplete = initContainers.filter((container) => {
    const found = statuses.find(({ name }) => name === container.name);
    return found !== undefined && (isSidecar(container) ? found.started !== true : !found.ready);
  });
  if (status.phase === 'Succeeded' && unknown.length === 0) return { status: 'True', reason: 'PodCompleted' };
  if (hasStarted(containers, status.containerStatuses ?? [])) return { status: 'True' };
  const message = describe({ unknown, incomplete });
  return message === '' ? { status: 'True' } : { status: 'False', reason: 'ContainersNotInitialized', message };
}

function containersReadyCondition({ pod }: StatusFacts, status: Reported): Outcome {
  const { containers, initContainers = [] } = pod.spec;
  const expected = [...initContainers.filter(isSidecar), ...containers];
  const statuses: readonly ContainerStatus[] = [
    ...(status.initContainerStatuses ?? []),
    ...(status.containerStatuses ?? []),
  ];
  const unready = expected.filter(({ name }) => !statuses.some((each) => each.name === name && each.ready));
  if (status.phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' };
  if (status.phase === 'Failed') return { status: 'False', reason: 'PodFailed' };
  if (unready.length === 0) return { status: 'True' };
  return { status: 'False', reason: 'ContainersNotReady', message: describe({ unready }) };
}

/** The conditions that others have to set before the pod may serve. */
function gatesReady({ pod }: StatusFacts): Outcome {
  const problems = (pod.spec.readinessGates ?? []).flatMap(({ conditionType }) => {
    const found = pod.status?.conditions?.find(({ type }) => type === conditionType);
    if (found === undefined) {
      return [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`];
    }
    if (found.status === 'True') return [];
    return [`the status of pod readiness gate "${conditionType}" is not "True", but ${found.status}`];
  });
  if (problems.length === 0) return { status: 'True' };
  return { status: 'False', reason: 'ReadinessGatesNotReady', message: problems.join(', ') };
}

function disruption({ ending, recorded }: StatusFacts): readonly Condition[] {
  const type = 'DisruptionTarget';
  const before = recorded?.conditions?.find((condition) => condition.type === type);
  if (before !== undefined) return [before];
  if (ending?.cause !== 'evicted' && ending?.cause !== 'shutdown') return [];
  const { message } = ending;
  return [{ type, status: 'True', reason: 'TerminationByKubelet', ...(message !== undefined && { message }) }];
}

function describe(groups: Readonly<Record<string, readonly { readonly name: string }[]>>): string {
  return Object.entries(groups)
    .filter(([, containers]) => containers.length > 0)
    .map(([kind, containers]) => `containers with ${kind} status: [${containers.map(({ name }) => name).join(' ')}]`)
    .join(', ');
}
