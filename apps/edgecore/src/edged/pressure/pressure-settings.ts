import { durationMilliseconds, type EdgecoreConfig } from '@fenestra/contracts';
import type { EvictionSettings, ImageCollectionSettings } from '@fenestra/pods';

/** What the configuration says about a node that runs short. Plain data: a reload compares it. */
export interface PressureSettings {
  readonly images: ImageCollectionSettings;
  /** The image that holds sandboxes. */
  readonly sandboxImage: string;
  readonly eviction: EvictionSettings;
  readonly maxSoftGraceSeconds: number;
  /** Whether pods are held to limits of what they use of the disk. */
  readonly limitsStorage: boolean;
  /** How often that is measured. */
  readonly measureMs: number;
}

/** Measuring lists what containers use, also where no pod has a limit. */
const LEAST_MEASURE_MS = 1_000;

/** Reads the part of the configuration that is about a node that runs short. */
export function pressureSettings(edged: EdgecoreConfig['modules']['edged']): PressureSettings {
  const kubelet = edged.tailoredKubeletConfig;
  const measureMs = durationMilliseconds(kubelet.volumeStatsAggPeriod);
  const softGrace = Object.entries(kubelet.evictionSoftGracePeriod ?? {});
  return {
    images: {
      highPercent: kubelet.imageGCHighThresholdPercent,
      lowPercent: kubelet.imageGCLowThresholdPercent,
      minAgeMs: durationMilliseconds(kubelet.imageMinimumGCAge),
      maxAgeMs: durationMilliseconds(kubelet.imageMaximumGCAge),
    },
    sandboxImage: edged.podSandboxImage,
    eviction: {
      hard: kubelet.evictionHard,
      soft: kubelet.evictionSoft ?? {},
      softGraceMs: Object.fromEntries(softGrace.map(([signal, period]) => [signal, durationMilliseconds(period)])),
      minimumReclaim: kubelet.evictionMinimumReclaim ?? {},
      transitionMs: durationMilliseconds(kubelet.evictionPressureTransitionPeriod),
    },
    maxSoftGraceSeconds: kubelet.evictionMaxPodGracePeriod,
    limitsStorage: kubelet.localStorageCapacityIsolation && measureMs > 0,
    measureMs: Math.max(LEAST_MEASURE_MS, measureMs),
  };
}
