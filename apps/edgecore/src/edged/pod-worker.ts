import { isDeepStrictEqual } from 'node:util';
import {
  type BackoffEntry,
  KUBELET_EVENTS,
  type KillContainer,
  type ObservedPod,
  type Pod,
  type PodAction,
  type PodFacts,
  type PodPlan,
  type PodStage,
  planPod,
  podKey,
  podStatus,
  type StartContainer,
  type StopRequest,
} from '@fenestra/pods';
import type { Logger } from '@fenestra/platform';
import { failureFields } from '../modules/describe-failure.ts';
import { createAlarm } from '../modules/waiting.ts';
import type { PodEvents } from './events/event-recorder.ts';
import { recordFailure } from './events/record-failure.ts';
import { recordWaits } from './events/record-waits.ts';
import type { LoggedAttempts } from './logged-attempts.ts';
import type { PodObserver } from './observe-pod.ts';
import type { PodRecord, PodRecords } from './pod-record.ts';
import { type PodProber, podProber, type ProbeSettings } from './probes/pod-prober.ts';
import { PodStarts } from './pod-starts.ts';
import type { StatusReporter } from './status-reporter.ts';

/** What changes a pod in the runtime. A start that fails throws a `StartError`. */
export interface PodActs {
  createSandbox(pod: Pod, attempt: number, signal: AbortSignal): Promise<void>;
  /** Returns the id of the instance. */
  startContainer(pod: Pod, start: StartContainer, signal: AbortSignal): Promise<string>;
  /** Runs the hook of a container that has just been started to its end; throws if it fails. */
  runPostStart(pod: Pod, name: string, id: string, signal: AbortSignal): Promise<void>;
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
  readonly loggedAttempts: LoggedAttempts;
  readonly probes: ProbeSettings;
  readonly reporter: StatusReporter;
  readonly events: PodEvents;
  readonly log: Logger;
  readonly now: () => number;
  readonly random: () => number;
  readonly node: { readonly hostIps: readonly string[]; readonly runtimeName: string };
}

/** A plan is made again this often although nothing changed, and this long after a round failed. */
const RESYNC_MS = 60_000;
const RETRY_MS = 10_000;
const JITTER = 0.5;
/** Requests for instances that are gone have no effect. */
const MOST_RESTARTS_KEPT = 100;

/**
 * Brings one pod to what its definition asks for, one round after the other. Each round begins with what the runtime
 * reports, so that an agent that was killed anywhere goes on where it was.
 */
export class PodWorker {
  readonly #options: PodWorkerOptions;
  readonly #alarm = createAlarm();
  /** Wakes what waits beside a round that is under way. */
  readonly #reportAlarm = createAlarm();
  readonly #prober: PodProber;
  readonly #starts: PodStarts;
  #pod: Pod;
  #stop: StopRequest | undefined;
  #record: PodRecord;
  /** Ends the present round's starts, for a pod that is to stop. */
  #round = new AbortController();
  #hasEnded = false;
  /** When the volumes are to be brought up to date, in milliseconds since 1970. */
  #refreshAt = 0;
  #refreshedAt = 0;
  /** Whether the status has to be reported although the present round is not at its end. */
  #isReportDue = false;

  constructor(pod: Pod, options: PodWorkerOptions) {
    this.#pod = pod;
    this.#options = options;
    this.#starts = new PodStarts({ ...options, onStarting: () => this.#reportSoon() });
    this.#prober = podProber(options.probes, () => this.#reportSoon());
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
    // A volume may show its labels and annotations.
    this.refreshVolumes();
  }

  /** The pod has to stop for another reason than its definition. Asked again, it goes on stopping as before. */
  stop(request: StopRequest): void {
    if (isDeepStrictEqual(this.#stop, request)) return;
    this.#stop = request;
    const { reason, message = '' } = request;
    if (reason !== undefined) this.#options.events.record(this.#pod, KUBELET_EVENTS.warning(reason, message));
    this.#round.abort();
    this.wake();
  }

  /** An administrator wants these instances to be replaced. */
  restart(instances: readonly string[]): void {
    const restartNow = [...(this.#record.restartNow ?? []), ...instances].slice(-MOST_RESTARTS_KEPT);
    this.#remember({ ...this.#record, restartNow });
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
    this.#prober.stop();
  }

  async #attempt(signal: AbortSignal): Promise<number> {
    const { log, now, random, events } = this.#options;
    try {
      const plan = await this.#doRound(signal);
      if (plan.actions.length > 0) return 0;
      recordWaits(this.#pod, this.#record.status, events);
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
    this.#isReportDue = false;
    const { observe, events } = this.#options;
    const observed = await recordFailure(
      async () => observe(pod.metadata.uid, signal),
      (error) => events.record(pod, KUBELET_EVENTS.syncFailed(error)),
    );
    const facts = await this.#facts(pod, observed);
    const plan = planPod(facts);
    this.#prober.follow(facts, plan.stage);
    await this.#report(facts, plan, signal);
    await this.#reportDuring(this.#act(pod, plan, round), plan.stage, round);
    if (plan.stage === 'running' && plan.actions.length === 0) await this.#refresh(pod, round);
    return plan;
  }

  /** A volume that cannot be brought up to date keeps what it shows until the next change or try. */
  async #refresh(pod: Pod, round: AbortSignal): Promise<void> {
    const { acts, log, now } = this.#options;
    // After the last time in the future the clock was set back, and the next time is of no use.
    if (now() >= this.#refreshedAt && now() < this.#refreshAt) return;
    this.#refreshAt = Infinity;
    this.#refreshedAt = now();
    const next = await acts.refreshVolumes(pod, round).catch((cause: unknown) => {
      if (round.aborted) this.#refreshAt = 0;
      round.throwIfAborted();
      log.warn('Cannot update the volumes of a pod', { pod: podKey(pod), ...failureFields(cause) });
      return now() + RESYNC_MS;
    });
    // Something may have changed during the update.
    this.#refreshAt = Math.min(this.#refreshAt, next ?? Infinity);
  }

  async #facts(pod: Pod, observed: ObservedPod): Promise<PodFacts> {
    const loggedAttempts = await this.#options.loggedAttempts(pod, observed);
    const { startTime, status, endingSince, backoffs, toRestart, restartNow = [] } = this.#record;
    const ids = new Set(observed.containers.map(({ id }) => id));
    const { sandboxFailure } = this.#starts;
    return {
      pod,
      observed,
      now: this.#options.now(),
      startTime,
      backoffs: new Map<string, BackoffEntry>(Object.entries(backoffs)),
      failures: this.#starts.failures,
      probes: this.#prober.verdicts,
      starting: this.#starts.starting,
      toRestart: new Set(toRestart.filter((id) => ids.has(id))),
      restartNow: new Set(restartNow.filter((id) => ids.has(id))),
      loggedAttempts,
      ...(status !== undefined && { recorded: status }),
      ...(this.#stop !== undefined && { stop: this.#stop }),
      ...(endingSince !== undefined && { endingSince }),
      ...(sandboxFailure !== undefined && { sandboxFailure }),
    };
  }

  #reportSoon(): void {
    this.#isReportDue = true;
    this.#reportAlarm.ring();
    this.wake();
  }

  /** Does a part of a round that can take long, and reports what the probes find during it. */
  async #reportDuring(work: Promise<void>, stage: PodStage, round: AbortSignal): Promise<void> {
    const done = new AbortController();
    const finish = (): void => done.abort();
    void work.then(finish, finish);
    const over = AbortSignal.any([done.signal, round]);
    while (!over.aborted) {
      await this.#reportAlarm.wait(Infinity, over);
      if (!over.aborted && this.#isReportDue) await this.#reportNow(stage, round).catch(() => undefined);
    }
    await work;
  }

  /** A pod that has to end does not wait for the present round. */
  async #reportNow(stage: PodStage, round: AbortSignal): Promise<void> {
    this.#isReportDue = false;
    const facts = await this.#facts(this.#pod, await this.#options.observe(this.#pod.metadata.uid, round));
    const plan = planPod(facts);
    if (plan.stage !== stage) return this.#round.abort();
    this.#prober.follow(facts, stage);
    if (!round.aborted) await this.#report(facts, plan, round);
  }

  async #report(facts: PodFacts, { stage, ending }: PodPlan, signal: AbortSignal): Promise<void> {
    const { reporter, acts, events, node } = this.#options;
    const { pod } = facts;
    const status = podStatus({ ...facts, stage, ...(ending && { ending }), ...node });
    const endingSince = stage === 'running' ? undefined : (this.#record.endingSince ?? facts.now);
    const { endingSince: before, ...record } = this.#record;
    if (before === undefined && ending?.cause === 'deadline')
      events.record(pod, KUBELET_EVENTS.deadlineExceeded(ending.message ?? ''));
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
    const { acts, events } = this.#options;
    await recordFailure(
      async () => acts.killContainer(pod, kill, round),
      (error) => events.record(pod, KUBELET_EVENTS.killFailed(error)),
    );
    this.#prober.forget(kill.id);
  }

  /** Returns whether the round goes on. */
  async #do(pod: Pod, action: Exclude<PodAction, KillContainer>, round: AbortSignal): Promise<boolean> {
    const { acts } = this.#options;
    switch (action.kind) {
      case 'create-sandbox':
        return this.#starts.createSandbox(pod, action.attempt, round);
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
        return this.#starts.startContainer(pod, action, round);
    }
  }
}
