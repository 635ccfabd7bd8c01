import { ContainerSchema, FilesystemUsageSchema, ImageFsInfoResponseSchema, ImageSchema } from '@fenestra/cri/messages';
import { messageOf } from '@fenestra/cri/testing/test-runtime';
import type { Pod } from '@fenestra/pods';
import { silentLogger } from '@fenestra/platform';
import { expect, test } from 'vitest';
import { podOf } from '../testing/pods.ts';
import { ImageCollector } from './image-collector.ts';

const { signal } = new AbortController();

/** A runtime with images of ten bytes each on a disk that is as full as a test says. */
class Store {
  readonly images = new Map<string, string>();
  usedBy: string[] = [];
  pods: Pod[] = [];
  onRemoved = (): void => {};
  freeBytes = 0;
  now = 1;
  readonly removed: string[] = [];
  readonly reported: string[] = [];
  readonly collector = new ImageCollector({
    runtime: {
      listImages: async () =>
        Array.from(this.images, ([id, name]) => messageOf(ImageSchema, { id, repoTags: [name], size: 10n })),
      listContainers: async () => this.usedBy.map((imageRef) => messageOf(ContainerSchema, { imageRef })),
      imageFsInfo: async () =>
        messageOf(ImageFsInfoResponseSchema, {
          imageFilesystems: [messageOf(FilesystemUsageSchema, { fsId: { mountpoint: '/images' } })],
        }),
      settings: async () => ({ sandboxImage: 'pause:1' }),
      removeImage: async ({ image }) => {
        if (image === 'stuck') throw new Error('no');
        this.removed.push(image ?? '');
        this.images.delete(image ?? '');
        this.onRemoved();
      },
    },
    host: { disk: async (path) => ({ path, totalBytes: 100, freeBytes: this.freeBytes }) },
    log: silentLogger(),
    events: { recordNode: ({ message }) => void this.reported.push(message) },
    now: () => this.now,
    settings: { highPercent: 85, lowPercent: 80, minAgeMs: 1000, maxAgeMs: 0 },
    sandboxImage: 'other-pause:1',
    pods: () => this.pods,
  });

  constructor(...names: readonly string[]) {
    for (const name of names) this.images.set(name, `${name}:1`);
  }
}

test('the first look removes nothing, the next one what is not needed, the longest unused first', async () => {
  const store = new Store('used', 'old', 'configured', 'pause', 'other-pause');
  store.usedBy = ['used'];
  store.pods = [podOf({ containers: [{ name: 'main', image: 'configured:1' }] })];
  await store.collector.collect(signal);
  expect(store.removed).toEqual([]);
  store.images.set('new', 'new:1');
  store.now += 500;
  await store.collector.collect(signal);
  expect(store.removed).toEqual(['old']);
  store.now += 1000;
  await store.collector.collect(signal);
  expect(store.removed).toEqual(['old', 'new']);
});

test('an image that was there before the agent is old enough, however short the agent runs', async () => {
  const store = new Store('old');
  await store.collector.collect(signal);
  store.now += 1;
  await store.collector.collect(signal);
  expect(store.removed).toEqual(['old']);
});

test('nothing is removed while the disk has room, unless all that is unused has to go', async () => {
  const store = new Store('unused');
  store.freeBytes = 50;
  await store.collector.collect(signal);
  await store.collector.collect(signal);
  expect(store.removed).toEqual([]);
  await store.collector.removeUnused(signal);
  expect(store.removed).toEqual(['unused']);
});

test('an image that a pod came to need since the look stays', async () => {
  const store = new Store('first', 'second');
  await store.collector.collect(signal);
  store.onRemoved = () => (store.pods = [podOf({ containers: [{ name: 'main', image: 'second:1' }] })]);
  await store.collector.removeUnused(signal);
  expect(store.removed).toEqual(['first']);
});

test('an image that cannot be removed does not keep the others, and is still listed', async () => {
  const store = new Store('stuck', 'unused');
  await store.collector.collect(signal);
  await store.collector.removeUnused(signal);
  expect(store.removed).toEqual(['unused']);
  expect(store.collector.images.map(({ id }) => id)).toEqual(['stuck']);
});

test('it is reported once that nothing more can be removed, until there was enough', async () => {
  const store = new Store('unused');
  for (const freeBytes of [0, 0, 50, 0]) {
    store.freeBytes = freeBytes;
    await store.collector.collect(signal);
    await store.collector.collect(signal);
  }
  const text = 'Failed to garbage collect required amount of images. Attempted to free 20 bytes, but only found';
  expect(store.reported).toEqual([`${text} 10 bytes eligible to free.`, `${text} 0 bytes eligible to free.`]);
});
