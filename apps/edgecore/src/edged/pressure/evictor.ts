import {
  type CrossedThreshold,
  evictionOrder,
  evictionRequest,
  type EvictionSettings,
  KUBELET_EVENTS,
  NO_PRESSURE,
  type NodePressure,
  nodePressure,
  type Pod,
  podKey,
  type PressureCondition,
  type PressureMemory,
  type StopRequest,
} from '@fenestra/pods';
import type { Logger } from '@fenestra/platform';
import { failureFields } from '../../modules/describe-failure.ts';
import { pause } from '../../modules/waiting.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import { type NodeSuppliesOptions, readSupplies } from './node-supplies.ts';
import { podUsages, type PodUsagesOptions } from './pod-usages.ts';

/** The pods that can be evicted. */
export interface EvictablePods {
  /** The pods that have to run, or still do; `undefined` while they are not known. */
  readonly active: readonly Pod[] | undefined;
  evict(pod: Pod, request: StopRequest): void;
}

/** What evicting pods takes. */
export interface EvictorOptions extends NodeSuppliesOptions, PodUsagesOptions {
  readonly pods: EvictablePods;
  readonly settings: EvictionSettings;
  readonly maxSoftGraceSeconds: number;
  readonly log: Logger;
  readonly events: Pick<EventRecorder, 'recordNode'>;
  /** Milliseconds of a clock that is never set. */
  readonly now: () => number;
  /** Removes ended containers and unused images. Returns false if that cannot be done yet. */
  readonly freeDisk: (signal: AbortSignal) => Promise<boolean>;
  /** The conditions that the node has now. */
  readonly onConditions: (conditions: ReadonlySet<PressureCondition>) => void;
}

/** How often the node is measured, and how long an evicted pod may take to end before the next one is chosen. */
const INTERVAL_MS = 10_000;
const CLEANUP_MS = 30_000;
const CLEANUP_LOOK_MS = 250;

/** Measures the node until the signal fires, and evicts one pod after the other while it is short of something. */
export async function keepEvicting(options: EvictorOptions, signal: AbortSignal): Promise<void> {
  const evictor = new Evictor(options);
  while (!signal.aborted) {
    try {
      if (await evictor.relieve(signal)) continue;
    } catch (cause) {
      if (!signal.aborted) options.log.warn('Cannot relieve the node; trying again', failureFields(cause));
    }
    await pause(INTERVAL_MS, signal);
  }
}

class Evictor {
  readonly #options: EvictorOptions;
  #memory: PressureMemory = NO_PRESSURE;
  #sharesDisk = true;
  /** What was evicted and may still run. */
  #evicted: readonly string[] = [];

  constructor(options: EvictorOptions) {
    this.#options = options;
  }

  /** Returns whether a pod was evicted: then the node is measured again at once. */
  async relieve(signal: AbortSignal): Promise<boolean> {
    const { pods } = this.#options;
    const known = new Set(this.#memory.unresolved.map((each) => each.signal));
    const all = await this.#measure(signal);
    for (const crossed of all) if (!known.has(crossed.signal)) this.#report(crossed);
    for (const crossed of all) {
      if (pods.active === undefined || (await this.#relieveDisk(crossed, signal))) continue;
      if (await this.#evictOne(crossed, pods.active, signal)) return true;
    }
    return false;
  }

  #report(crossed: CrossedThreshold): void {
    const { log, events } = this.#options;
    log.warn('The node runs short', { ...crossed });
    events.recordNode(KUBELET_EVENTS.thresholdMet(crossed.signal));
  }

  async #measure(signal: AbortSignal): Promise<NodePressure['crossed']> {
    const { settings, now, onConditions } = this.#options;
    const { supplies, sharesDisk } = await readSupplies(this.#options, signal);
    const { crossed, conditions, memory } = nodePressure(supplies, settings, this.#memory, now());
    this.#memory = memory;
    this.#sharesDisk = sharesDisk;
    onConditions(conditions);
    return crossed;
  }

  /** A disk with images is freed of what nothing needs before a pod has to go. Returns false if a pod has to. */
  async #relieveDisk({ signal: eviction }: CrossedThreshold, signal: AbortSignal): Promise<boolean> {
    const hasImages = eviction.startsWith('imagefs') || (this.#sharesDisk && eviction.startsWith('nodefs'));
    if (!hasImages) return false;
    if (!(await this.#options.freeDisk(signal))) return true;
    return !(await this.#measure(signal)).some((each) => each.signal === eviction);
  }

  async #evictOne(crossed: CrossedThreshold, active: readonly Pod[], signal: AbortSignal): Promise<boolean> {
    const { pods, maxSoftGraceSeconds, log } = this.#options;
    this.#evicted = this.#evicted.filter((uid) => active.some(({ metadata }) => metadata.uid === uid));
    const candidates = active.filter(({ metadata }) => !this.#evicted.includes(metadata.uid));
    const what = { signal: crossed.signal, sharesDisk: this.#sharesDisk };
    const [first] = evictionOrder(crossed.signal, await podUsages(candidates, what, this.#options, signal));
    if (first === undefined) return false;
    const request = evictionRequest(first, crossed, maxSoftGraceSeconds);
    const { message = '' } = request;
    log.warn('A pod is evicted', { pod: podKey(first.pod), signal: crossed.signal, message });
    this.#evicted = [...this.#evicted, first.pod.metadata.uid];
    pods.evict(first.pod, request);
    await this.#untilEnded(first.pod.metadata.uid, signal);
    return true;
  }

  async #untilEnded(uid: string, signal: AbortSignal): Promise<void> {
    const { pods, now } = this.#options;
    const until = now() + CLEANUP_MS;
    const runs = (): boolean => pods.active?.some(({ metadata }) => metadata.uid === uid) === true;
    while (runs() && now() < until && !signal.aborted) await pause(CLEANUP_LOOK_MS, signal);
  }
}
