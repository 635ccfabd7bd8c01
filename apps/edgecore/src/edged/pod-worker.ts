import { isDeepStrictEqual } from 'node:util';
import {
  type BackoffEntry,
  type KillContainer,
  type ObservedPod,
  type Pod,
  type PodAction,
  type PodFacts,
  type PodPlan,
  planPod,
  type ProbeVerdicts,
  podKey,
  podStatus,
  type StartFailure,
  type StopRequest,
} from '@fenestra/pods';
import type { Logger } from '@fenestra/platform';
import { failureFields } from '../modules/describe-failure.ts';
import { createAlarm } from '../modules/waiting.ts';
import type { PodObserver } from './observe-pod.ts';
import type { PodRecord, PodRecords } from './pod-record.ts';
import { StartError } from './start-error.ts';
import type { StatusReporter } from './status-reporter.ts';

/** What changes a pod in the runtime. A start that fails throws a `StartError`. */
export interface PodActs {
  createSandbox(pod: Pod, attempt: number, signal: AbortSignal): Promise<void>;
  startContainer(pod: Pod, start: Extract<PodAction, { kind: 'start-container' }>, signal: AbortSignal): Promise<void>;
  /** Without the pod when no source knows it any more: then its hooks do not run. */
  killContainer(pod: Pod | undefined, kill: KillContainer, signal: AbortSignal): Promise<void>;
  /**
   * Brings the volumes of a running pod up to date with what they show. Returns when that has to be done again even if
   * nothing changes, in milliseconds since 1970.
   */
  refreshVolumes(pod: Pod, signal: AbortSignal): Promise<number | undefined>;
  stopSandbox(id: string, signal: AbortSignal): Promise<void>;
  removeContainer(id: string, signal: AbortSignal): Promise<void>;
  /** Removes what the pod has outside of the runtime: its volumes and control groups. */
  releasePod(pod: Pod, signal: AbortSignal): Promise<void>;
}

/** What a worker is made with. */
export interface PodWorkerOptions {
  readonly acts: PodActs;
  readonly observe: PodObserver;
  readonly records: PodRecords;
  readonly reporter: StatusReporter;
  readonly log: Logger;
  readonly now: () => number;
  readonly random: () => number;
  /** Lets only so many pods start something at the same time. */
  readonly inSlot: <T>(work: () => Promise<T>) => Promise<T>;
  readonly node: { readonly hostIps: readonly string[]; readonly runtimeName: string };
}

/** A plan is made again this often although nothing changed, and this long after a round failed. */
const RESYNC_MS = 60_000;
const RETRY_MS = 10_000;
const JITTER = 0.5;

/**
 * Brings one pod to what its definition asks for, one round after the other. Each round begins with what the runtime
 * reports, so that an agent that was killed anywhere goes on where it was.
 */
export class PodWorker {
  readonly #options: PodWorkerOptions;
  readonly #alarm = createAlarm();
  readonly #failures = new Map<string, StartFailure>();
  readonly #probes = new Map<string, ProbeVerdicts>();
  readonly #starting = new Set<string>();
  #pod: Pod;
  #stop: StopRequest | undefined;
  #sandboxFailure: StartFailure | undefined;
  #record: PodRecord;
  /** Ends the present round's starts, for a pod that is to stop. */
  #round = new AbortController();
  #hasEnded = false;
  /** When the volumes are to be brought up to date, in milliseconds since 1970. */
  #refreshAt = 0;

  constructor(pod: Pod, options: PodWorkerOptions) {
    this.#pod = pod;
    this.#options = options;
    this.#record = options.records.get(pod.metadata.uid) ?? { startTime: options.now(), backoffs: {}, toRestart: [] };
  }

  get pod(): Pod {
    return this.#pod;
  }

  /** Whether nothing of the pod runs any more, and nothing will. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The definition of the pod has changed. */
  update(pod: Pod): void {
    const before = this.#pod.metadata;
    this.#pod = pod;
    const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
    const isSooner = deletionGracePeriodSeconds !== before.deletionGracePeriodSeconds;
    if (deletionTimestamp !== before.deletionTimestamp || isSooner) this.#round.abort();
    this.wake();
  }

  /** The pod has to stop for another reason than its definition. Asked again, it goes on stopping as before. */
  stop(request: StopRequest): void {
    if (isDeepStrictEqual(this.#stop, request)) return;
    this.#stop = request;
    this.#round.abort();
    this.wake();
  }

  /** Something of the pod has changed in the runtime. */
  wake(): void {
    this.#alarm.ring();
  }

  /** Something that the volumes of the pod show has changed. */
  refreshVolumes(): void {
    this.#refreshAt = 0;
    this.wake();
  }

  /** Works until the pod is gone, or the signal fires: then everything stays as it is. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const waitMs = await this.#attempt(signal);
      if (waitMs > 0) await this.#alarm.wait(waitMs, signal);
    }
  }

  async #attempt(signal: AbortSignal): Promise<number> {
    const { log, now, random } = this.#options;
    try {
      const plan = await this.#doRound(signal);
      if (plan.actions.length > 0) return 0;
      const wakeAt = Math.min(plan.wakeAt ?? Infinity, plan.stage === 'running' ? this.#refreshAt : Infinity);
      return Math.max(1, Math.min(wakeAt - now(), RESYNC_MS * (1 + JITTER * random())));
    } catch (cause) {
      if (signal.aborted) return 0;
      if (this.#round.signal.aborted) return 0;
      log.warn('Cannot bring a pod to its definition; trying again', {
        pod: podKey(this.#pod),
        ...failureFields(cause),
      });
      return RETRY_MS * (1 + JITTER * random());
    }
  }

  async #doRound(signal: AbortSignal): Promise<PodPlan> {
    this.#round = new AbortController();
    const round = AbortSignal.any([signal, this.#round.signal]);
    const pod = this.#pod;
    const observed = await this.#options.observe(pod.metadata.uid, signal);
    const facts = this.#facts(pod, observed);
    const plan = planPod(facts);
    await this.#report(facts, plan, signal);
    await this.#act(pod, plan, round);
    if (plan.stage === 'running' && plan.actions.length === 0) await this.#refresh(pod, round);
    return plan;
  }

  /** A volume that cannot be brought up to date keeps what it shows until the next change or try. */
  async #refresh(pod: Pod, round: AbortSignal): Promise<void> {
    const { acts, log, now } = this.#options;
    if (now() < this.#refreshAt) return;
    this.#refreshAt = Infinity;
    const next = await acts.refreshVolumes(pod, round).catch((cause: unknown) => {
      if (round.aborted) this.#refreshAt = 0;
      round.throwIfAborted();
      log.warn('Cannot update the volumes of a pod', { pod: podKey(pod), ...failureFields(cause) });
      return now() + RESYNC_MS;
    });
    // Something may have changed meanwhile.
    this.#refreshAt = Math.min(this.#refreshAt, next ?? Infinity);
  }

  #facts(pod: Pod, observed: ObservedPod): PodFacts {
    const { startTime, status, endingSince, backoffs, toRestart } = this.#record;
    return {
      pod,
      observed,
      now: this.#options.now(),
      startTime,
      backoffs: new Map<string, BackoffEntry>(Object.entries(backoffs)),
      failures: this.#failures,
      probes: this.#probes,
      starting: this.#starting,
      toRestart: new Set(toRestart.filter((id) => observed.containers.some((container) => container.id === id))),
      loggedAttempts: new Map(),
      ...(status !== undefined && { recorded: status }),
      ...(this.#stop !== undefined && { stop: this.#stop }),
      ...(endingSince !== undefined && { endingSince }),
      ...(this.#sandboxFailure !== undefined && { sandboxFailure: this.#sandboxFailure }),
    };
  }

  async #report(facts: PodFacts, { stage, ending }: PodPlan, signal: AbortSignal): Promise<void> {
    const { reporter, acts, node } = this.#options;
    const { pod } = facts;
    const status = podStatus({ ...facts, stage, ...(ending && { ending }), ...node });
    const endingSince = stage === 'running' ? undefined : (this.#record.endingSince ?? facts.now);
    const { endingSince: _, ...record } = this.#record;
    this.#remember({
      ...record,
      status,
      toRestart: [...facts.toRestart],
      ...(endingSince !== undefined && { endingSince }),
    });
    const isDeleted = pod.metadata.deletionTimestamp !== undefined;
    if (stage === 'terminated' && !this.#hasEnded) {
      await acts.releasePod(pod, signal);
      this.#hasEnded = true;
    }
    if (stage === 'terminated' && isDeleted) reporter.reportEnd(pod, status);
    else reporter.report(pod, status);
  }

  #remember(record: PodRecord): void {
    this.#record = record;
    this.#options.records.put(this.#pod.metadata.uid, record);
  }

  async #act(pod: Pod, plan: PodPlan, round: AbortSignal): Promise<void> {
    const kills = plan.actions.filter((action) => action.kind === 'kill-container');
    await Promise.all(kills.map(async (kill) => this.#kill(pod, kill, round)));
    for (const action of plan.actions) {
      round.throwIfAborted();
      if (action.kind !== 'kill-container' && !(await this.#do(pod, action, round))) return;
    }
  }

  async #kill(pod: Pod, kill: KillContainer, round: AbortSignal): Promise<void> {
    if (kill.restart) this.#remember({ ...this.#record, toRestart: [...this.#record.toRestart, kill.id] });
    await this.#options.acts.killContainer(pod, kill, round);
    this.#probes.delete(kill.id);
  }

  /** Returns whether the round goes on. */
  async #do(pod: Pod, action: Exclude<PodAction, KillContainer>, round: AbortSignal): Promise<boolean> {
    const { acts, inSlot } = this.#options;
    switch (action.kind) {
      case 'create-sandbox':
        return this.#trySandbox(async () => inSlot(async () => acts.createSandbox(pod, action.attempt, round)), round);
      case 'stop-sandbox':
        await acts.stopSandbox(action.id, round);
        return true;
      case 'remove-container':
        await acts.removeContainer(action.id, round);
        return true;
      case 'start-container':
        if (action.backoff) {
          this.#remember({ ...this.#record, backoffs: { ...this.#record.backoffs, [action.name]: action.backoff } });
        }
        return this.#tryStart(action, async () => inSlot(async () => acts.startContainer(pod, action, round)), round);
    }
  }

  async #trySandbox(create: () => Promise<void>, round: AbortSignal): Promise<boolean> {
    try {
      await create();
      this.#sandboxFailure = undefined;
      return true;
    } catch (cause) {
      round.throwIfAborted();
      this.#sandboxFailure = this.#failureOf(cause, 'CreatePodSandboxError');
      return false;
    }
  }

  async #tryStart(
    { name, role }: Extract<PodAction, { kind: 'start-container' }>,
    start: () => Promise<void>,
    round: AbortSignal,
  ): Promise<boolean> {
    try {
      await start();
      this.#failures.delete(name);
      return true;
    } catch (cause) {
      round.throwIfAborted();
      this.#failures.set(name, this.#failureOf(cause, 'CreateContainerError'));
      return role !== 'init' && role !== 'sidecar';
    }
  }

  #failureOf(cause: unknown, reason: string): StartFailure {
    const { log, now } = this.#options;
    const message = cause instanceof Error ? cause.message : String(cause);
    const at = now();
    const failure =
      cause instanceof StartError
        ? { reason: cause.reason, message, at, retryAt: cause.retryAt ?? at + RETRY_MS }
        : { reason, message, at, retryAt: at + RETRY_MS };
    log.warn('Cannot start a part of a pod', { pod: podKey(this.#pod), reason: failure.reason, message });
    return failure;
  }
}
