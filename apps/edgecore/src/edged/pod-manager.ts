import { sameJson } from '@fenestra/kernel';
import {
  ANNOTATIONS,
  isStaticPod,
  planOrphan,
  type Pod,
  type PodIdentity,
  podKey,
  type StopRequest,
} from '@fenestra/pods';
import type { NodeMemory } from '../meta/node-memory.ts';
import { failureFields } from '../modules/describe-failure.ts';
import { createAlarm } from '../modules/waiting.ts';
import { podReader } from './pod-reader.ts';
import type { PodRemoval } from './pod-removal.ts';
import type { PodSources } from './pod-sources.ts';
import { PodWorker, type PodWorkerOptions } from './pod-worker.ts';
import type { Admission } from './admit-pod.ts';
import type { ObservedInstance } from './observe-pod.ts';
import type { RestartRequests } from './restart-requests.ts';
import type { RuntimeWatch } from './runtime-watch.ts';

/** What a manager is made with. */
export interface PodManagerOptions extends PodWorkerOptions {
  readonly nodeName: string;
  readonly memory: Pick<NodeMemory, 'changes'>;
  readonly sources: PodSources;
  readonly admit: Admission;
  readonly watch: () => RuntimeWatch;
  readonly removal: PodRemoval;
  readonly restartRequests: RestartRequests;
  /** Whether no other kubelet works on this machine, perhaps in the same folders. */
  readonly isAlone: () => Promise<boolean>;
  /** Whether the cloud has had time to send every pod of this node since the agent started. */
  readonly hasAllPods: () => boolean;
}

interface Running {
  readonly worker: PodWorker;
  readonly ended: Promise<void>;
  readonly ending: AbortController;
  /** Whether the pod was missing from its source; a static pod that is back by now starts again when it has ended. */
  isRemoved: boolean;
}

const PODS = { group: '', version: 'v1', plural: 'pods' };
const SHOWN_IN_VOLUMES: ReadonlySet<string> = new Set(['configmaps', 'secrets']);
/** Changes wake the manager; this often it looks without one. */
const HOUSEKEEPING_MS = 2_000;

/** Gives every pod of this node a worker, and ends what the runtime has of pods that no source knows any more. */
export class PodManager {
  readonly #options: PodManagerOptions;
  readonly #workers = new Map<string, Running>();
  readonly #alarm = createAlarm();
  readonly #orphans = new Map<string, Promise<void>>();
  readonly #read: ReturnType<typeof podReader>;
  #hasRemovedLeftovers = false;
  #hasRead = false;

  constructor(options: PodManagerOptions) {
    this.#options = options;
    this.#read = podReader(options.log);
  }

  /** The pods that have a worker. */
  get pods(): readonly Pod[] {
    return Array.from(this.#workers.values(), ({ worker }) => worker.pod);
  }

  /** The pods that have to run, or still do; `undefined` while they have not been read. */
  get active(): readonly Pod[] | undefined {
    return this.#hasRead ? this.#accepted() : undefined;
  }

  /** Ends a pod for a reason of the node. */
  evict({ metadata }: Pod, request: StopRequest): void {
    this.#workers.get(metadata.uid)?.worker.stop(request);
  }

  /** Something of a pod has changed in the runtime. */
  wake(uid: string): void {
    const running = this.#workers.get(uid);
    if (running === undefined) this.#alarm.ring();
    else running.worker.wake();
  }

  /** Wakes every worker, for example when the runtime is back. */
  wakeAll(): void {
    for (const { worker } of this.#workers.values()) worker.wake();
    this.#alarm.ring();
  }

  /** The definitions of pods have changed. */
  readSources(): void {
    this.#alarm.ring();
  }

  /** Manages pods until the signal fires. Then no worker acts any more, and everything runs on. */
  async run(signal: AbortSignal): Promise<void> {
    const unsubscribe = this.#options.memory.changes.subscribe(({ kind, namespace }) => {
      if (kind.group !== '') return;
      if (kind.plural === PODS.plural) this.#alarm.ring();
      if (SHOWN_IN_VOLUMES.has(kind.plural)) this.#refreshVolumes(namespace);
    });
    while (!signal.aborted) {
      try {
        await this.#manage(signal);
      } catch (cause) {
        if (!signal.aborted) this.#options.log.error('Cannot manage the pods of this node', failureFields(cause));
      }
      await this.#alarm.wait(HOUSEKEEPING_MS, signal);
    }
    unsubscribe();
    await Promise.all([...this.#orphans.values(), ...Array.from(this.#workers.values(), async ({ ended }) => ended)]);
  }

  #refreshVolumes(namespace: string): void {
    for (const { worker } of this.#workers.values()) {
      if (worker.pod.metadata.namespace === namespace) worker.refreshVolumes();
    }
  }

  async #manage(signal: AbortSignal): Promise<void> {
    const { pods, wanted } = this.#read(this.#options.sources.list());
    for (const pod of pods) this.#assign(pod, signal);
    this.#hasRead = this.#options.sources.isComplete;
    for (const [uid, running] of this.#workers) {
      running.isRemoved ||= !wanted.has(uid);
      if (!running.isRemoved) continue;
      if (running.worker.hasEnded) await this.#tryDismiss(uid, signal);
      else running.worker.stop({ cause: 'removed' });
    }
    this.#removeOrphans(wanted, signal);
    await this.#options.restartRequests(({ podUid, instances }) => this.#restart(podUid, instances));
    await this.#removeLeftovers(wanted, signal);
  }

  #restart(uid: string, instances: readonly string[]): boolean {
    const running = this.#workers.get(uid);
    running?.worker.restart(instances);
    return running !== undefined;
  }

  /** Once, when every pod is known: what pods have left on the disk that ended while no agent ran. */
  async #removeLeftovers(wanted: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    const { removal, sources, watch, hasAllPods, log } = this.#options;
    if (this.#hasRemovedLeftovers || watch().problem !== undefined || !hasAllPods() || !sources.isComplete) return;
    this.#hasRemovedLeftovers = true;
    if (!(await this.#options.isAlone())) return;
    for (const uid of await removal.podsOnDisk()) {
      if (wanted.has(uid) || this.#workers.has(uid) || watch().pods.has(uid)) continue;
      log.info('The remains of a pod are removed', { uid });
      await removal.removePod(uid, signal);
    }
  }

  #assign(pod: Pod, signal: AbortSignal): void {
    const { uid } = pod.metadata;
    const running = this.#workers.get(uid);
    if (running === undefined && this.#hasPredecessor(pod)) return;
    if (running === undefined) return this.#begin(uid, pod, signal);
    if (!sameDefinition(running.worker.pod, pod)) running.worker.update(pod);
  }

  /** The former version of a static pod has another uid, but uses the same ports and folders: it has to end first. */
  #hasPredecessor(pod: Pod): boolean {
    if (!isStaticPod(pod)) return false;
    const { watch, records } = this.#options;
    const { name, namespace, uid } = pod.metadata;
    const isSamePod = (other: PodIdentity): boolean =>
      other.name === name && other.namespace === namespace && other.uid !== uid;
    if (watch().problem !== undefined || this.pods.some(({ metadata }) => isSamePod(metadata))) return true;
    return [...watch().pods.values()].some((other) => isSamePod(other) && records.get(other.uid) !== undefined);
  }

  #begin(uid: string, pod: Pod, signal: AbortSignal): void {
    const { records, admit, log } = this.#options;
    const worker = new PodWorker(pod, this.#options);
    const rejection = records.get(uid) === undefined ? admit(pod, this.#accepted()) : undefined;
    if (rejection !== undefined) {
      log.warn('A pod is refused on this node', { pod: podKey(pod), ...rejection });
      worker.stop({ cause: 'rejected', graceSeconds: 0, ...rejection });
    }
    const ending = new AbortController();
    const ended = worker.run(AbortSignal.any([signal, ending.signal]));
    this.#workers.set(uid, { worker, ended, ending, isRemoved: false });
    if (rejection === undefined) log.info('A pod is to run on this node', { pod: podKey(pod), uid });
  }

  #accepted(): readonly Pod[] {
    return Array.from(this.#workers.values(), ({ worker }) => worker).flatMap((worker) =>
      worker.hasEnded ? [] : [worker.pod],
    );
  }

  /** What cannot be removed of one pod does not keep the others from being managed. */
  async #tryDismiss(uid: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#dismiss(uid, signal);
    } catch (cause) {
      if (!signal.aborted)
        this.#options.log.warn('Cannot remove a pod; trying again', { uid, ...failureFields(cause) });
    }
  }

  async #dismiss(uid: string, signal: AbortSignal): Promise<void> {
    const running = this.#workers.get(uid);
    if (running === undefined) return;
    running.ending.abort();
    await running.ended;
    await this.#options.removal.removePod(uid, signal);
    this.#options.records.delete(uid);
    this.#options.reporter.forget(uid);
    this.#workers.delete(uid);
    this.#options.log.info('A pod is removed from this node', { pod: podKey(running.worker.pod), uid });
  }

  /** A pod that the agent has run and that no source has any more, or that the cloud has had time to send and did not. */
  #removeOrphans(wanted: ReadonlySet<string>, signal: AbortSignal): void {
    const { sources, watch, records, hasAllPods } = this.#options;
    if (watch().problem !== undefined || !sources.isComplete) return;
    for (const [uid, pod] of watch().pods) {
      if (wanted.has(uid) || this.#workers.has(uid) || this.#orphans.has(uid)) continue;
      const isForgotten = pod.madeBy === this.#options.nodeName && hasAllPods();
      if (records.get(uid) === undefined && !isForgotten) continue;
      this.#orphans.set(uid, this.#removeOrphan(uid, `${pod.namespace}/${pod.name}`, signal));
    }
    for (const uid of records.uids()) {
      if (!wanted.has(uid) && !this.#workers.has(uid) && !watch().pods.has(uid)) records.delete(uid);
    }
  }

  async #removeOrphan(uid: string, pod: string, signal: AbortSignal): Promise<void> {
    const { removal, records, log } = this.#options;
    try {
      while (!(await this.#stopOrphan(uid, signal))) signal.throwIfAborted();
      await removal.removePod(uid, signal);
      records.delete(uid);
      log.info('A pod that this node has no definition of is removed', { pod, uid });
    } catch (cause) {
      if (!signal.aborted) log.warn('Cannot remove a pod; trying again', { pod, uid, ...failureFields(cause) });
    } finally {
      this.#orphans.delete(uid);
    }
  }

  /** Returns whether nothing of it runs any more. */
  async #stopOrphan(uid: string, signal: AbortSignal): Promise<boolean> {
    const { acts, observe } = this.#options;
    const { actions } = planOrphan(await observe(uid, signal), graceOf);
    await Promise.all(
      actions.map(async (action) => {
        if (action.kind === 'kill-container') await acts.killContainer(undefined, action, signal);
        if (action.kind === 'stop-sandbox') await acts.stopSandbox(action.id, signal);
      }),
    );
    return actions.length === 0;
  }
}

const DEFAULT_GRACE_SECONDS = 30;

function graceOf({ annotations }: ObservedInstance): number {
  const seconds = annotations[ANNOTATIONS.deletionGracePeriod] ?? annotations[ANNOTATIONS.terminationGracePeriod];
  return Number(seconds ?? DEFAULT_GRACE_SECONDS);
}

/** Whether what a pod is to be is the same; its status, which this agent reports itself, does not count. */
function sameDefinition(one: Pod, other: Pod): boolean {
  return sameJson([one.metadata, one.spec], [other.metadata, other.spec]);
}
