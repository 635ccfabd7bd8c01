import { isAlive, type ObservedContainer } from '../observed.ts';
import type { ContainerStatus, Terminated } from '../pod/status-fields.ts';
import type { ContainerRole } from '../plan/pod-plan.ts';

/** How an instance ended. */
export interface EndView {
  readonly exitCode: number;
  readonly reason?: string;
  readonly message?: string;
  /** RFC 3339. */
  readonly finishedAt?: string;
}

/** A container as an operator looks at it. */
export interface ContainerView {
  readonly name: string;
  readonly role: ContainerRole;
  readonly image: string;
  readonly state: 'running' | 'waiting' | 'terminated';
  /** Why it does not run. */
  readonly reason?: string;
  readonly message?: string;
  readonly startedAt?: string;
  readonly end?: EndView;
  /** How the instance before it ended. */
  readonly lastEnd?: EndView;
  readonly ready: boolean;
  readonly restarts: number;
  /** The newest instance in the runtime, and how often it had been restarted when that was made. */
  readonly id?: string;
}

/** The view of a container: its stored status, unless its newest instance says something newer. */
export function containerView(
  name: string,
  role: ContainerRole,
  image: string,
  status: ContainerStatus | undefined,
  instances: readonly ObservedContainer[] | undefined,
): ContainerView {
  const [newest, before] = (instances ?? []).toSorted((a, b) => b.attempt - a.attempt || b.createdAt - a.createdAt);
  const lastEnd = status?.lastState.terminated;
  const previous = lastEnd ? endView(lastEnd) : before && instanceEnd(before);
  return {
    name,
    role,
    image,
    ...storedState(status),
    ready: status?.ready ?? false,
    restarts: Math.max(status?.restartCount ?? 0, newest?.attempt ?? 0),
    ...(previous !== undefined && { lastEnd: previous }),
    ...(newest !== undefined && { id: newest.id }),
    ...(newest !== undefined && runtimeState(newest, status)),
  };
}

/** Whether an init container has done its work. */
export function isDone({ state, end }: Pick<ContainerView, 'end' | 'state'>): boolean {
  return state === 'terminated' && end?.exitCode === 0;
}

type State = Pick<ContainerView, 'end' | 'message' | 'reason' | 'startedAt' | 'state'>;

function storedState(status: ContainerStatus | undefined): State {
  const { running, terminated, waiting } = status?.state ?? {};
  if (running) return { state: 'running', ...(running.startedAt !== undefined && { startedAt: running.startedAt }) };
  if (terminated) {
    const end = endView(terminated);
    return { state: 'terminated', end, ...why(end) };
  }
  return { state: 'waiting', ...why(waiting ?? {}) };
}

/** What the runtime knows that the stored status does not say. An instance that ended may be waiting for its restart. */
function runtimeState(instance: ObservedContainer, status: ContainerStatus | undefined): Partial<ContainerView> {
  const isRunning = status?.state.running !== undefined;
  if (isAlive(instance)) {
    if (isRunning) return {};
    return { state: 'running', ...(status === undefined && { ready: true }), ...startOf(instance) };
  }
  if (instance.state !== 'exited' || (status !== undefined && !isRunning)) return {};
  const end = instanceEnd(instance);
  return { state: 'terminated', ready: false, ...(end && { end, ...why(end) }) };
}

function startOf({ startedAt }: ObservedContainer): Partial<ContainerView> {
  return startedAt === undefined ? {} : { startedAt: new Date(startedAt).toISOString() };
}

function instanceEnd({ state, exitCode, reason, message, finishedAt }: ObservedContainer): EndView | undefined {
  if (state !== 'exited' || exitCode === undefined) return undefined;
  return {
    exitCode,
    ...why({ reason: reason || (exitCode === 0 ? 'Completed' : 'Error'), message }),
    ...(finishedAt !== undefined && { finishedAt: new Date(finishedAt).toISOString() }),
  };
}

function endView({ exitCode, finishedAt, ...rest }: Terminated): EndView {
  return { exitCode, ...why(rest), ...(finishedAt !== undefined && { finishedAt }) };
}

function why({ reason, message }: { readonly reason?: string | undefined; readonly message?: string | undefined }) {
  return { ...(reason !== undefined && { reason }), ...(message !== undefined && { message }) };
}
