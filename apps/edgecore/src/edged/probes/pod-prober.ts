import {
  type Container,
  instancesOf,
  isSidecar,
  isStarted,
  KUBELET_EVENTS,
  type KubeletEvent,
  newProbeState,
  newestSandbox,
  type ObservedContainer,
  type PodFacts,
  podKey,
  type PodStage,
  type Probe,
  probeAction,
  type ProbeContext,
  type ProbeKind,
  type ProbeVerdicts,
  verdictsOf,
} from '@fenestra/pods';
import type { Logger } from '@fenestra/platform';
import type { PodEvents } from '../events/event-recorder.ts';
import { ProbeLoop } from './probe-loop.ts';
import { type CommandRunner, type ProbeResult, runProbe } from './run-probe.ts';

/** What probes of pods need. */
export interface ProbeSettings {
  readonly runtime: CommandRunner;
  readonly log: Logger;
  readonly events: PodEvents;
  readonly hostIps: () => readonly string[];
  readonly random: () => number;
  /** When the agent started, in milliseconds since 1970. */
  readonly agentStartedAt: number;
}

/** Probes the containers of one pod. */
export interface PodProber {
  /** By id of the instance. */
  readonly verdicts: ReadonlyMap<string, ProbeVerdicts>;
  /** Begins, goes on and ends with what there is of the pod now. */
  follow(facts: PodFacts, stage: PodStage): void;
  /** Ends the probes of an instance, which was stopped. */
  forget(id: string): void;
  stop(): void;
}

interface Probed {
  readonly container: Container;
  readonly instance: ObservedContainer;
  readonly context: ProbeContext;
}

/** Makes a prober; `onVerdict` is called when the verdict on a container changes. */
export function podProber(settings: ProbeSettings, onVerdict: () => void): PodProber {
  const loops = new Map<string, Map<ProbeKind, ProbeLoop>>();
  const forget = (id: string): void => {
    for (const loop of loops.get(id)?.values() ?? []) loop.stop();
    loops.delete(id);
  };
  return {
    get verdicts() {
      return new Map(
        Array.from(loops, ([id, ofInstance]) => [
          id,
          verdictsOf(Array.from(ofInstance.values(), ({ state }) => state)),
        ]),
      );
    },
    follow(facts, stage) {
      const probed = probedIn(facts, stage);
      for (const id of loops.keys()) if (!probed.some(({ instance }) => instance.id === id)) forget(id);
      for (const each of probed) {
        const ofInstance = loops.get(each.instance.id);
        if (ofInstance) for (const loop of ofInstance.values()) loop.change(each.context);
        else if (stage === 'running') loops.set(each.instance.id, beginProbes(settings, facts, each, onVerdict));
      }
    },
    forget,
    stop() {
      for (const id of loops.keys()) forget(id);
    },
  };
}

/** The running instances with their containers. Init containers end by themselves, except for sidecars. */
function probedIn(facts: PodFacts, stage: PodStage): readonly Probed[] {
  const { containers, initContainers = [] } = facts.pod.spec;
  return [...containers, ...initContainers.filter(isSidecar)].flatMap((container) => {
    const [instance] = instancesOf(facts.observed, container.name);
    if (instance?.state !== 'running' || facts.starting.has(instance.id)) return [];
    const started = isStarted(facts, container, instance);
    const context = { started, terminating: stage !== 'running', isSidecar: initContainers.includes(container) };
    return [{ container, instance, context }];
  });
}

function beginProbes(
  settings: ProbeSettings,
  facts: PodFacts,
  probed: Probed,
  onVerdict: () => void,
): Map<ProbeKind, ProbeLoop> {
  const { livenessProbe, readinessProbe, startupProbe } = probed.container;
  const loops = new Map<ProbeKind, ProbeLoop>();
  const begin = (kind: ProbeKind, probe: Probe | undefined): void => {
    if (probe) loops.set(kind, beginProbe(settings, facts, probed, { kind, probe, onVerdict }));
  };
  // An instance that had started before the agent did is not started a second time.
  if (!probed.context.started) begin('startup', startupProbe);
  begin('liveness', livenessProbe);
  begin('readiness', readinessProbe);
  return loops;
}

interface Beginning {
  readonly kind: ProbeKind;
  readonly probe: Probe;
  readonly onVerdict: () => void;
}

const now = (): number => performance.now();

function beginProbe(
  settings: ProbeSettings,
  facts: PodFacts,
  { container, instance, context }: Probed,
  { kind, probe, onVerdict }: Beginning,
): ProbeLoop {
  const { runtime, hostIps, log, events, random, agentStartedAt } = settings;
  const startedAt = instance.startedAt ?? instance.createdAt;
  const age = Math.max(0, facts.now - startedAt);
  const action = probeAction(container, probe, probedAddress(facts, hostIps()));
  const target = { id: instance.id, timeoutSeconds: probe.timeoutSeconds };
  const spreadMs = startedAt < agentStartedAt ? random() * probe.periodSeconds * 1000 : 0;
  return new ProbeLoop({
    probe,
    context,
    now,
    state: newProbeState(kind, probe, { id: instance.id, startedAt: now() - age }, now(), spreadMs),
    notBefore: now() - age + probe.initialDelaySeconds * 1000,
    run: async (signal) => runProbe(runtime, action, target, signal),
    onResult(result) {
      const event = eventOf(kind, result);
      if (event !== undefined) events.record(facts.pod, event, container.name);
    },
    onVerdict(verdict, result) {
      if (verdict === 'failure') noteFailure(log, podKey(facts.pod), container.name, kind, result);
      onVerdict();
    },
  });
}

function eventOf(kind: ProbeKind, { outcome, output, isWarning }: ProbeResult): KubeletEvent | undefined {
  if (outcome === 'error') return KUBELET_EVENTS.probeErrored(kind, output);
  if (outcome === 'failure') return KUBELET_EVENTS.probeFailed(kind, output);
  return isWarning ? KUBELET_EVENTS.probeWarned(kind, output) : undefined;
}

function noteFailure(log: Logger, pod: string, container: string, probe: ProbeKind, { output }: ProbeResult): void {
  log.warn('A probe of a container failed', { pod, container, probe, output });
}

const LOOPBACK = '127.0.0.1';

/** Where the containers of a pod are reached: at the address of its sandbox, or of the node whose network it shares. */
export function probedAddress({ observed }: Pick<PodFacts, 'observed'>, hostIps: readonly string[]): string {
  return newestSandbox(observed)?.ips[0] ?? hostIps[0] ?? LOOPBACK;
}
