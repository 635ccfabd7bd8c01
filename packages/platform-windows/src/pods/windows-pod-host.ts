import { mkdir, rm } from 'node:fs/promises';
import { freemem, totalmem } from 'node:os';
import type { PodHost } from '@fenestra/platform';
import { POD_FOLDER_SDDL, setRights } from '../access/set-rights.ts';
import type { Native } from '../native.ts';
import { linkFolder } from './link-folder.ts';
import { openVolumePart } from './volume-part.ts';

/** Running pods on Windows: containers are limited one by one, and folders in memory are folders on the disk. */
export function windowsPodHost(native: Native): PodHost {
  /** Rights are carried to all that is in a folder, so they are set once by each process. */
  const isProtected = new Set<string>();
  return {
    keepsModes: false,
    machine: async () => ({ cgroupVersion: 1, countsSwap: false, hugePageSizes: [] }),
    async protectFolder(path) {
      if (isProtected.has(path)) return;
      setRights(native, path, POD_FOLDER_SDDL, `set the access rights of "${path}"`);
      isProtected.add(path);
    },
    memory: async () => ({ totalBytes: totalmem(), availableBytes: freemem() }),
    processes: async () => undefined,
    createMemoryFolder: async ({ path }) => void (await mkdir(path, { recursive: true })),
    linkFolder,
    openVolumePart,
    removeFolder: async (path) => rm(path, { recursive: true, force: true, maxRetries: 5 }),
    setOwner: async () => {},
    createPodCgroup: async () => {},
    removePodCgroup: async () => {},
    listPodCgroups: async () => [],
  };
}
