import { type ContainerRuntime, GRPC_STATUS, hasStatus, runtimeError } from '@fenestra/cri';
import { nodeOfSandbox } from '@fenestra/contracts/objects';
import { OperatorError } from '@fenestra/kernel';
import { podIdentityOf, type PodIdentity } from '@fenestra/pods';
import type { Logger } from '@fenestra/platform';
import { failureFields } from '../modules/describe-failure.ts';
import { createAlarm, pause, withDeadline } from '../modules/waiting.ts';

/** Says which pods of the runtime have changed. */
export interface RuntimeWatch {
  /** The pods that the runtime has, as of the last list, with the node whose agent made them, if one did. */
  readonly pods: ReadonlyMap<string, RuntimePod>;
  /** Why the runtime cannot be used; `undefined` while it can. */
  readonly problem: OperatorError | undefined;
  /** Whether pods can get a network. */
  readonly isNetworkReady: boolean;
  /** Lists at once. */
  readonly lookNow: () => void;
}

/** A pod of the runtime. */
export interface RuntimePod extends PodIdentity {
  /** Absent if another agent or a kubelet made it. */
  readonly madeBy?: string;
}

/** What a watch is made with. */
export interface RuntimeWatchOptions {
  readonly runtime: ContainerRuntime;
  readonly endpoint: string;
  readonly log: Logger;
  /** Something of this pod has changed. */
  readonly onPod: (uid: string) => void;
  /** The runtime can be used now, or cannot for another reason than before. */
  readonly onHealth: () => void;
}

/** How often to list without events, and with them: they can be lost, shared or old. */
const LIST_MS = 1_000;
const LIST_WITH_EVENTS_MS = 10_000;
const STATUS_MS = 5_000;
/** A runtime that does not answer for so long hangs. */
const LIST_LIMIT_MS = 15_000;
const EVENTS_RETRY_MS = 5_000;

/** Lists what the runtime has, and listens to its events where it has any, until the signal fires. */
export function watchRuntime(
  options: RuntimeWatchOptions,
  signal: AbortSignal,
): RuntimeWatch & { ended: Promise<void> } {
  const watch = new Watch(options);
  const ended = Promise.all([watch.keepListing(signal), watch.keepListening(signal)]).then(() => undefined);
  return Object.assign(watch, { ended });
}

const NOT_ASKED = new OperatorError('RUNTIME_UNUSABLE', 'The container runtime has not answered yet', {
  hint: 'Wait a moment.',
});

class Watch implements RuntimeWatch {
  readonly #options: RuntimeWatchOptions;
  readonly #alarm = createAlarm();
  #states: ReadonlyMap<string, ReadonlyMap<string, number>> = new Map();
  #hasEvents = false;
  #statusAt = -Infinity;
  pods: ReadonlyMap<string, RuntimePod> = new Map();
  problem: OperatorError | undefined = NOT_ASKED;
  isNetworkReady = false;
  readonly lookNow = (): void => this.#alarm.ring();

  constructor(options: RuntimeWatchOptions) {
    this.#options = options;
  }

  async keepListing(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#list(signal);
      const isWell = this.problem === undefined;
      await this.#alarm.wait(isWell && this.#hasEvents ? LIST_WITH_EVENTS_MS : LIST_MS, signal);
    }
  }

  async keepListening(signal: AbortSignal): Promise<void> {
    const { runtime, log } = this.#options;
    while (!signal.aborted) {
      try {
        for await (const event of runtime.events(signal)) {
          this.#hasEvents = true;
          const uid = event.podSandboxStatus?.metadata?.uid;
          if (uid === undefined) this.#alarm.ring();
          else this.#options.onPod(uid);
        }
      } catch (error) {
        if (hasStatus(error, GRPC_STATUS.UNIMPLEMENTED)) return;
        if (this.#hasEvents && !signal.aborted)
          log.debug('The events of the container runtime ended', failureFields(error));
      }
      this.#hasEvents = false;
      this.#alarm.ring();
      await pause(EVENTS_RETRY_MS, signal);
    }
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { onHealth } = this.#options;
    const before = this.problem;
    try {
      await this.#checkHealth(signal);
      this.#compare(await this.#listParts(signal));
      this.problem = undefined;
    } catch (error) {
      if (signal.aborted) return;
      this.problem = asOperatorError(error, this.#options.endpoint);
    }
    if (before?.message !== this.problem?.message) onHealth();
  }

  async #listParts(signal: AbortSignal): Promise<readonly RuntimePart[]> {
    const { runtime, endpoint } = this.#options;
    const list = async (limit: AbortSignal): Promise<readonly RuntimePart[]> =>
      (await Promise.all([runtime.listSandboxes({}, limit), runtime.listContainers({}, limit)])).flat();
    const action = `list what the container runtime at "${endpoint}" has`;
    const hint = 'Restart the container runtime if it hangs.';
    return withDeadline(list, { limitMs: LIST_LIMIT_MS, action, hint }, signal);
  }

  async #checkHealth(signal: AbortSignal): Promise<void> {
    if (performance.now() - this.#statusAt < STATUS_MS && this.problem === undefined) return;
    const { conditions } = await this.#options.runtime.status(signal);
    const holds = (type: string): boolean => conditions.find((condition) => condition.type === type)?.status ?? true;
    const wasNetworkReady = this.isNetworkReady;
    this.isNetworkReady = holds('NetworkReady');
    if (!holds('RuntimeReady')) throw notReady(this.#options.endpoint);
    this.#statusAt = performance.now();
    if (this.isNetworkReady !== wasNetworkReady) this.#options.onHealth();
  }

  #compare(parts: readonly RuntimePart[]): void {
    const pods = new Map<string, RuntimePod>();
    const states = new Map<string, Map<string, number>>();
    for (const { id, state, labels, annotations } of parts) {
      const pod = podIdentityOf(labels);
      if (pod === undefined) continue;
      const madeBy = nodeOfSandbox(annotations) ?? pods.get(pod.uid)?.madeBy;
      pods.set(pod.uid, { ...pod, ...(madeBy !== undefined && { madeBy }) });
      states.set(pod.uid, (states.get(pod.uid) ?? new Map<string, number>()).set(id, state));
    }
    const uids = new Set([...states.keys(), ...this.#states.keys()]);
    const changed = [...uids].filter((uid) => !sameStates(states.get(uid), this.#states.get(uid)));
    this.pods = pods;
    this.#states = states;
    for (const uid of changed) this.#options.onPod(uid);
  }
}

/** The state before the first list. */
export const NOT_WATCHED: RuntimeWatch = {
  pods: new Map(),
  problem: NOT_ASKED,
  isNetworkReady: false,
  lookNow: () => {},
};

function asOperatorError(error: unknown, endpoint: string): OperatorError {
  return error instanceof OperatorError ? error : runtimeError(error, endpoint);
}

function notReady(endpoint: string): OperatorError {
  return new OperatorError('RUNTIME_UNUSABLE', `The container runtime at "${endpoint}" is not ready`, {
    hint: 'Read the log of the container runtime and fix the cause.',
  });
}

interface RuntimePart {
  readonly id: string;
  readonly state: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

function sameStates(
  one: ReadonlyMap<string, number> = new Map(),
  other: ReadonlyMap<string, number> = new Map(),
): boolean {
  return one.size === other.size && [...one].every(([id, state]) => other.get(id) === state);
}
