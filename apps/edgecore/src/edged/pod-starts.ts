import {
  KUBELET_EVENTS,
  type KubeletEvent,
  type Pod,
  podKey,
  type StartContainer,
  type StartFailure,
} from '@fenestra/pods';
import type { Logger } from '@fenestra/platform';
import type { PodEvents } from './events/event-recorder.ts';
import type { PodActs } from './pod-worker.ts';
import { StartError } from './start-error.ts';

/** What starting the parts of a pod takes. */
export interface PodStartsOptions {
  readonly acts: PodActs;
  readonly log: Logger;
  readonly events: PodEvents;
  readonly now: () => number;
  /** A container runs, and its hook does. */
  readonly onStarting: () => void;
}

const RETRY_MS = 10_000;

/** Starts the parts of one pod, and remembers why a start failed. */
export class PodStarts {
  readonly #options: PodStartsOptions;
  readonly #failures = new Map<string, StartFailure>();
  readonly #starting = new Set<string>();
  #sandboxFailure: StartFailure | undefined;

  constructor(options: PodStartsOptions) {
    this.#options = options;
  }

  /** The last failed start of each container, by its name, until a start succeeds. */
  get failures(): ReadonlyMap<string, StartFailure> {
    return this.#failures;
  }

  get sandboxFailure(): StartFailure | undefined {
    return this.#sandboxFailure;
  }

  /** The ids of instances whose postStart hook has not ended. */
  get starting(): ReadonlySet<string> {
    return this.#starting;
  }

  /** Returns whether there is a sandbox now. */
  async createSandbox(pod: Pod, attempt: number, signal: AbortSignal): Promise<boolean> {
    const { acts, events } = this.#options;
    if (attempt > 0) events.record(pod, KUBELET_EVENTS.sandboxChanged());
    try {
      await acts.createSandbox(pod, attempt, signal);
      this.#sandboxFailure = undefined;
      return true;
    } catch (cause) {
      signal.throwIfAborted();
      const failure = this.#failureOf(pod, cause, 'CreatePodSandboxError');
      this.#sandboxFailure = failure;
      events.record(pod, eventOf(cause) ?? KUBELET_EVENTS.sandboxFailed(failure.message));
      return false;
    }
  }

  /** Returns whether the containers after it may be started. */
  async startContainer(pod: Pod, action: StartContainer, signal: AbortSignal): Promise<boolean> {
    const { name, role } = action;
    try {
      await this.#start(pod, action, signal);
      this.#failures.delete(name);
      return true;
    } catch (cause) {
      signal.throwIfAborted();
      const failure = this.#failureOf(pod, cause, 'CreateContainerError');
      this.#failures.set(name, failure);
      this.#options.events.record(pod, eventOf(cause) ?? KUBELET_EVENTS.startFailed(failure.message), name);
      return role !== 'init' && role !== 'sidecar';
    }
  }

  async #start(pod: Pod, action: StartContainer, signal: AbortSignal): Promise<void> {
    const { acts, onStarting } = this.#options;
    const { name } = action;
    const id = await acts.startContainer(pod, action, signal);
    if (!hasPostStart(pod, name)) return;
    this.#starting.add(id);
    onStarting();
    try {
      await acts.runPostStart(pod, name, id, signal);
    } catch (cause) {
      signal.throwIfAborted();
      const graceSeconds = pod.spec.terminationGracePeriodSeconds;
      const kill = { kind: 'kill-container', id, name, graceSeconds, reason: 'hook-failed', restart: false } as const;
      await acts.killContainer(pod, kill, signal);
      const event = KUBELET_EVENTS.postStartFailed();
      throw new StartError('PostStartHookError', cause instanceof Error ? cause.message : String(cause), { event });
    } finally {
      this.#starting.delete(id);
    }
  }

  #failureOf(pod: Pod, cause: unknown, reason: string): StartFailure {
    const { log, now } = this.#options;
    const message = cause instanceof Error ? cause.message : String(cause);
    const at = now();
    const failure =
      cause instanceof StartError
        ? { reason: cause.reason, message, at, retryAt: cause.retryAt ?? at + RETRY_MS }
        : { reason, message, at, retryAt: at + RETRY_MS };
    log.warn('Cannot start a part of a pod', { pod: podKey(pod), reason: failure.reason, message });
    return failure;
  }
}

function eventOf(cause: unknown): KubeletEvent | undefined {
  return cause instanceof StartError ? cause.event : undefined;
}

function hasPostStart({ spec }: Pod, name: string): boolean {
  const container = [...spec.containers, ...(spec.initContainers ?? [])].find((each) => each.name === name);
  return container?.lifecycle?.postStart !== undefined;
}
