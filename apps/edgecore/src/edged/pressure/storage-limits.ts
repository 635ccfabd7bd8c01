import { type Pod, podKey, limitOf, storageLimitExceeded } from '@fenestra/pods';
import type { Logger } from '@fenestra/platform';
import { failureFields } from '../../modules/describe-failure.ts';
import { pause } from '../../modules/waiting.ts';
import type { EvictablePods } from './evictor.ts';
import { type PodUsagesOptions, storageUsages } from './pod-usages.ts';

/** What holding pods to their limits takes. */
export interface StorageLimitsOptions extends PodUsagesOptions {
  readonly pods: EvictablePods;
  readonly log: Logger;
  /** How often to measure. */
  readonly measureMs: number;
}

/** Measuring many files takes long. At most this share of the time is spent on it, as long as it does not fail. */
const MOST_OF_TIME = 0.1;

/** Evicts pods that use more of the disk than one of their own limits, until the signal fires. */
export async function keepStorageLimits(options: StorageLimitsOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const start = performance.now();
    try {
      await evictExcessive(options, signal);
    } catch (cause) {
      if (!signal.aborted) options.log.warn('Cannot measure what pods use of the disk', failureFields(cause));
    }
    const tookMs = performance.now() - start;
    await pause(Math.max(options.measureMs, tookMs / MOST_OF_TIME), signal);
  }
}

async function evictExcessive(options: StorageLimitsOptions, signal: AbortSignal): Promise<void> {
  const { pods, log } = options;
  const limited = (pods.active ?? []).filter(hasLimit);
  if (limited.length === 0) return;
  for (const [pod, usage] of await storageUsages(limited, options, signal)) {
    const request = storageLimitExceeded(pod, usage);
    if (request === undefined) continue;
    const { message = '' } = request;
    log.warn('A pod is evicted', { pod: podKey(pod), message });
    pods.evict(pod, request);
  }
}

function hasLimit({ spec }: Pod): boolean {
  const hasSize = (spec.volumes ?? []).some(({ emptyDir }) => emptyDir?.sizeLimit !== undefined);
  const isLimited = spec.containers.some((container) => limitOf(container, 'ephemeral-storage') !== undefined);
  return hasSize || isLimited;
}
