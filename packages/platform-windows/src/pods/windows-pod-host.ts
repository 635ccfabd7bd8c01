import { mkdir, rm } from 'node:fs/promises';
import type { PodHost } from '@fenestra/platform';
import { openVolumePart } from './volume-part.ts';

/** Running pods on Windows: containers are limited one by one, and folders in memory are folders on the disk. */
export function windowsPodHost(): PodHost {
  return {
    keepsModes: false,
    machine: async () => ({ cgroupVersion: 1, countsSwap: false, hugePageSizes: [] }),
    createMemoryFolder: async ({ path }) => void (await mkdir(path, { recursive: true })),
    openVolumePart,
    removeFolder: async (path) => rm(path, { recursive: true, force: true, maxRetries: 5 }),
    setOwner: async () => {},
    createPodCgroup: async () => {},
    removePodCgroup: async () => {},
    listPodCgroups: async () => [],
  };
}
