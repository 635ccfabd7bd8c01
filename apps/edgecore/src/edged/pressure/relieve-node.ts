import type { ContainerRuntime } from '@fenestra/cri';
import { KUBELET_EVENTS, type PressureCondition } from '@fenestra/pods';
import type { Host, Logger, PodHost } from '@fenestra/platform';
import { failureFields } from '../../modules/describe-failure.ts';
import { pause } from '../../modules/waiting.ts';
import { type DeadContainersOptions, removeDeadContainers } from '../dead-containers.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import type { EdgedSettings } from '../edged-settings.ts';
import { type EvictablePods, keepEvicting } from './evictor.ts';
import { ImageCollector, type ListedImage } from './image-collector.ts';
import { keepStorageLimits } from './storage-limits.ts';

/** What keeping a node from running short takes. */
export interface RelieveNodeOptions {
  readonly runtime: ContainerRuntime;
  readonly host: Host;
  readonly podHost: PodHost;
  readonly settings: EdgedSettings;
  readonly log: Logger;
  readonly events: EventRecorder;
  readonly pods: EvictablePods;
  readonly deadContainers: DeadContainersOptions;
  readonly isRuntimeReady: () => boolean;
  readonly onConditions: (conditions: ReadonlySet<PressureCondition>) => void;
  readonly onImages: (images: readonly ListedImage[]) => void;
}

const COLLECT_MS = 60_000;
const RUNTIME_LOOK_MS = 1_000;

/** How long something lasts does not depend on the time of the machine, which can be set back. */
const now = (): number => performance.now();

/** Removes what is not needed, and ends pods where that is not enough, until the signal fires. */
export async function keepRelieving(options: RelieveNodeOptions, signal: AbortSignal): Promise<void> {
  const { settings, pods, deadContainers } = options;
  const { rootFolder, logFolder, pressure } = settings;
  const images = new ImageCollector({
    ...options,
    now,
    settings: pressure.images,
    sandboxImage: pressure.sandboxImage,
    pods: () => pods.active ?? [],
  });
  const common = { ...options, ...pressure, now, rootFolder, logFolder };
  const evicting = {
    ...common,
    settings: pressure.eviction,
    imageFolder: async (until: AbortSignal) => images.folder(until),
    async freeDisk(until: AbortSignal) {
      const active = new Set(pods.active?.map(({ metadata }) => metadata.uid));
      await removeDeadContainers(deadContainers, ({ uid }) => active.has(uid), until);
      return images.removeUnused(until);
    },
  };
  await Promise.all([
    keepCollecting(images, options, signal),
    keepEvicting(evicting, signal),
    ...(pressure.limitsStorage ? [keepStorageLimits(common, signal)] : []),
  ]);
}

async function keepCollecting(
  images: ImageCollector,
  { isRuntimeReady, onImages, log, events, pods }: RelieveNodeOptions,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      if (isRuntimeReady() && pods.active !== undefined) await images.collect(signal);
      onImages(images.images);
    } catch (cause) {
      if (signal.aborted) return;
      log.warn('Cannot remove unused images', failureFields(cause));
      events.recordNode(KUBELET_EVENTS.imagesNotCollected(cause instanceof Error ? cause.message : String(cause)));
    }
    await pause(isRuntimeReady() ? COLLECT_MS : RUNTIME_LOOK_MS, signal);
  }
}
