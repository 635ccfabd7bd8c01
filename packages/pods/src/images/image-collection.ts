/** An image of the runtime, with what the agent knows of its use. Times are milliseconds of a clock that is never set. */
export interface StoredImage {
  readonly id: string;
  readonly sizeBytes: number;
  readonly pinned: boolean;
  readonly firstSeenAt: number;
  readonly lastUsedAt: number;
}

/** When images are removed. */
export interface ImageCollectionSettings {
  /** The share of the file system in percent from which images are removed, and down to which; 100 for never. */
  readonly highPercent: number;
  readonly lowPercent: number;
  readonly minAgeMs: number;
  /** Images that were not used for longer are removed in any case; zero for never. */
  readonly maxAgeMs: number;
}

/** What the choice of images depends on. */
export interface ImageCollectionFacts {
  readonly images: readonly StoredImage[];
  /** The ids of images of containers, and of those that must be kept for other reasons. */
  readonly needed: ReadonlySet<string>;
  readonly fileSystem: { readonly capacityBytes: number; readonly availableBytes: number };
  readonly settings: ImageCollectionSettings;
  readonly now: number;
}

/** The images to remove, in this order. */
export interface ImageCollection {
  readonly remove: readonly StoredImage[];
  /** What was to be freed, and what stays too much even then. */
  readonly wantedBytes: number;
  readonly missingBytes: number;
}

/** Chooses unused images, the longest unused first, until enough of the file system is free. */
export function imagesToRemove(facts: ImageCollectionFacts): ImageCollection {
  const { settings, now } = facts;
  const candidates = unusedImages(facts);
  const isOld = ({ lastUsedAt }: StoredImage): boolean => settings.maxAgeMs > 0 && now - lastUsedAt > settings.maxAgeMs;
  const old = candidates.filter(isOld);
  const wantedBytes = bytesToFree(facts);
  let toFree = wantedBytes - total(old);
  const more = candidates
    .filter((image) => !isOld(image))
    .filter(({ sizeBytes }) => {
      if (toFree <= 0) return false;
      toFree -= sizeBytes;
      return true;
    });
  return { remove: [...old, ...more], wantedBytes, missingBytes: Math.max(0, toFree) };
}

/** Images that nothing needs, the longest unused first. */
export function unusedImages(facts: Omit<ImageCollectionFacts, 'fileSystem'>): readonly StoredImage[] {
  const { images, needed, settings, now } = facts;
  return images
    .filter(({ id, pinned, firstSeenAt }) => !pinned && !needed.has(id) && now - firstSeenAt >= settings.minAgeMs)
    .toSorted((a, b) => a.lastUsedAt - b.lastUsedAt || a.firstSeenAt - b.firstSeenAt);
}

function bytesToFree({ fileSystem, settings }: ImageCollectionFacts): number {
  const { capacityBytes, availableBytes } = fileSystem;
  if (capacityBytes === 0 || settings.highPercent >= 100) return 0;
  const usedPercent = 100 - (availableBytes * 100) / capacityBytes;
  if (usedPercent < settings.highPercent) return 0;
  return (capacityBytes * (100 - settings.lowPercent)) / 100 - availableBytes;
}

function total(images: readonly StoredImage[]): number {
  return images.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}
