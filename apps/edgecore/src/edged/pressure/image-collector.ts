import type { ContainerRuntime } from '@fenestra/cri';
import type { Image } from '@fenestra/cri/messages';
import {
  type ImageCollectionFacts,
  type ImageCollectionSettings,
  imagesToRemove,
  KUBELET_EVENTS,
  type NamedImage,
  neededImages,
  type Pod,
  type StoredImage,
  unusedImages,
} from '@fenestra/pods';
import type { Host, Logger } from '@fenestra/platform';
import { failureFields } from '../../modules/describe-failure.ts';
import type { EventRecorder } from '../events/event-recorder.ts';

/** An image as the status of the node lists it. */
export interface ListedImage extends NamedImage {
  readonly sizeBytes: number;
}

/** What removing images takes. */
export interface ImageCollectorOptions {
  readonly runtime: Pick<
    ContainerRuntime,
    'listImages' | 'listContainers' | 'removeImage' | 'imageFsInfo' | 'settings'
  >;
  readonly host: Pick<Host, 'disk'>;
  readonly log: Logger;
  readonly events: Pick<EventRecorder, 'recordNode'>;
  /** Milliseconds of a clock that is never set. */
  readonly now: () => number;
  readonly settings: ImageCollectionSettings;
  /** The image that holds sandboxes, as the configuration names it. */
  readonly sandboxImage: string;
  /** The pods that this node has to run. */
  readonly pods: () => readonly Pod[];
}

interface Usage {
  readonly firstSeenAt: number;
  readonly lastUsedAt: number;
}

/** Removes images that nothing needs. The first look only lists them: not all pods may be known yet. */
export class ImageCollector {
  readonly #options: ImageCollectorOptions;
  readonly #startedAt: number;
  #usages: ReadonlyMap<string, Usage> | undefined;
  #folder: string | undefined;
  #isShort = false;
  /** The images that are there as of the last look. */
  images: readonly ListedImage[] = [];

  constructor(options: ImageCollectorOptions) {
    this.#options = options;
    this.#startedAt = options.now();
  }

  /** The folder that images are in. */
  async folder(signal: AbortSignal): Promise<string> {
    this.#folder ??= (await this.#options.runtime.imageFsInfo(signal)).imageFilesystems[0]?.fsId?.mountpoint;
    if (this.#folder === undefined) throw new Error('the container runtime does not say where its images are');
    return this.#folder;
  }

  /** Removes what was not used for too long, and more as long as the disk is too full. */
  async collect(signal: AbortSignal): Promise<void> {
    if (this.#usages === undefined) return void (await this.#look(signal));
    const facts = await this.#look(signal);
    const { totalBytes, freeBytes } = await this.#options.host.disk(await this.folder(signal));
    const fileSystem = { capacityBytes: totalBytes, availableBytes: freeBytes };
    const { remove, wantedBytes, missingBytes } = imagesToRemove({ ...facts, fileSystem });
    await this.#remove(remove, signal);
    this.#reportShortage(Math.ceil(wantedBytes), Math.ceil(missingBytes));
  }

  /** Removes every image that nothing needs and that is old enough. Returns false if this was the first look. */
  async removeUnused(signal: AbortSignal): Promise<boolean> {
    const isFirstLook = this.#usages === undefined;
    const facts = await this.#look(signal);
    if (!isFirstLook) await this.#remove(unusedImages(facts), signal);
    return !isFirstLook;
  }

  async #look(signal: AbortSignal): Promise<Omit<ImageCollectionFacts, 'fileSystem'>> {
    const { runtime, now, settings, pods } = this.#options;
    const listed = await runtime.listImages(signal);
    const containers = await runtime.listContainers({}, signal);
    const references = containers.flatMap(({ image, imageRef }) => [image?.image ?? '', imageRef]);
    const sandboxImages = [this.#options.sandboxImage, (await runtime.settings(signal)).sandboxImage ?? ''];
    const named = listed.map(namedImage);
    const needed = neededImages(named, { references: [...references, ...sandboxImages], pods: pods() });
    const images = listed.map(({ id, size, pinned }) => ({
      id,
      sizeBytes: Number(size),
      pinned,
      ...this.#usageOf(id, needed.has(id)),
    }));
    this.images = named;
    this.#usages = new Map(images.map((image) => [image.id, image]));
    return { images, needed, settings, now: now() };
  }

  /** An image that was there before the agent is old enough. How long it was unused counts from the agent's start. */
  #usageOf(id: string, isUsedNow: boolean): Usage {
    const now = this.#options.now();
    const atStart = { firstSeenAt: this.#startedAt - this.#options.settings.minAgeMs, lastUsedAt: this.#startedAt };
    const { firstSeenAt, lastUsedAt } =
      this.#usages === undefined ? atStart : (this.#usages.get(id) ?? { firstSeenAt: now, lastUsedAt: now });
    return { firstSeenAt, lastUsedAt: isUsedNow ? now : lastUsedAt };
  }

  async #remove(images: readonly StoredImage[], signal: AbortSignal): Promise<void> {
    const { runtime, log, pods } = this.#options;
    for (const { id, sizeBytes } of images) {
      const image = this.images.find((each) => each.id === id) ?? { id, names: [] };
      // A pod may have come since the look.
      if (neededImages([image], { references: [], pods: pods() }).size > 0) continue;
      try {
        await runtime.removeImage({ image: id }, signal);
        this.images = this.images.filter((each) => each.id !== id);
        log.info('An unused image is removed', { image: image.names[0] ?? id, bytes: sizeBytes });
      } catch (cause) {
        signal.throwIfAborted();
        log.warn('Cannot remove an unused image', { image: image.names[0] ?? id, ...failureFields(cause) });
      }
    }
  }

  #reportShortage(wantedBytes: number, missingBytes: number): void {
    const wasShort = this.#isShort;
    this.#isShort = missingBytes > 0;
    if (!this.#isShort || wasShort) return;
    const { log, events } = this.#options;
    events.recordNode(KUBELET_EVENTS.diskNotFreed(wantedBytes, wantedBytes - missingBytes));
    log.warn('Cannot free enough of the disk of the images: nothing else is unused', { missingBytes });
  }
}

function namedImage({ id, repoTags, repoDigests, size }: Image): ListedImage {
  return { id, names: [...repoTags, ...repoDigests], sizeBytes: Number(size) };
}
