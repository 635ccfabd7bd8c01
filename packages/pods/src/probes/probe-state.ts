import type { ProbeVerdict, ProbeVerdicts } from '../facts.ts';
import type { Probe } from '../pod/container-fields.ts';

/** The probes of a container. */
export type ProbeKind = 'liveness' | 'readiness' | 'startup';

/** How far one probe of one instance is. Times are milliseconds since 1970. */
export interface ProbeState {
  readonly kind: ProbeKind;
  /** The instance that is probed. Another one begins with a new state. */
  readonly containerId: string;
  /** The result after the thresholds; undefined before there is one. */
  readonly verdict?: ProbeVerdict;
  /** The last single result, and how often it came in a row. */
  readonly last?: ProbeVerdict;
  readonly inARow: number;
  readonly nextAt: number;
}

/** What came of one run of a probe. An error says nothing about the container and changes nothing. */
export type ProbeOutcome = ProbeVerdict | 'error';

/** What decides whether a probe runs at all. */
export interface ProbeContext {
  /** Whether the instance counts as started. */
  readonly started: boolean;
  /** Whether the pod is being stopped. Sidecars are probed until it is their turn. */
  readonly terminating: boolean;
  readonly isSidecar: boolean;
}

/**
 * The state of a probe that has not run. The delay counts from the start of the container; after a start of the agent,
 * `spreadMs` keeps the probes of all pods from running at the same moment.
 */
export function newProbeState(
  kind: ProbeKind,
  probe: Probe,
  instance: { readonly id: string; readonly startedAt: number },
  now: number,
  spreadMs = 0,
): ProbeState {
  const nextAt = Math.max(now + spreadMs, instance.startedAt + probe.initialDelaySeconds * 1000);
  return { kind, containerId: instance.id, inARow: 0, nextAt };
}

/** When a probe is to run next; undefined while it is not to run. */
export function nextProbeAt(state: ProbeState, { started, terminating, isSidecar }: ProbeContext): number | undefined {
  const { kind, verdict, nextAt } = state;
  if (terminating && kind !== 'readiness' && !isSidecar) return undefined;
  // After a failure of these the container is killed: the next instance has its own state.
  if (kind !== 'readiness' && verdict === 'failure') return undefined;
  if (kind === 'startup') return verdict === 'success' ? undefined : nextAt;
  return started ? nextAt : undefined;
}

/** The state after a run that began at `ranAt`. */
export function afterProbe(state: ProbeState, probe: Probe, outcome: ProbeOutcome, ranAt: number): ProbeState {
  const nextAt = ranAt + probe.periodSeconds * 1000;
  if (outcome === 'error') return { ...state, nextAt };
  const inARow = state.last === outcome ? state.inARow + 1 : 1;
  const threshold = outcome === 'success' ? probe.successThreshold : probe.failureThreshold;
  const reached = inARow >= threshold;
  return { ...state, last: outcome, inARow, nextAt, ...(reached && { verdict: outcome }) };
}

/** The state in which a probe runs at once: a container that has just started gets its readiness without a wait. */
export function probeNow(state: ProbeState, now: number): ProbeState {
  return state.nextAt <= now ? state : { ...state, nextAt: now };
}

/** The verdicts of the probes of one instance. */
export function verdictsOf(states: readonly ProbeState[]): ProbeVerdicts {
  return Object.fromEntries(states.flatMap(({ kind, verdict }) => (verdict === undefined ? [] : [[kind, verdict]])));
}

/** How often a probe that could not be run is tried within one run. */
export const PROBE_ATTEMPTS = 3;
