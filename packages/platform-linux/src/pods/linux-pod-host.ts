import { existsSync } from 'node:fs';
import { chmod, lchown, mkdir, readdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemCodeOf } from '@fenestra/kernel';
import type { PodCgroupLimits, PodHost } from '@fenestra/platform';
import { isMounted, mountMemory, unmountBelow } from './mounts.ts';
import { linkFolder } from './link-folder.ts';
import { readMemory, readProcesses } from './supplies.ts';
import { openVolumePart } from './volume-part.ts';

const CGROUPS = '/sys/fs/cgroup';
const HUGE_PAGES = '/sys/kernel/mm/hugepages';
const ALL_PODS = /^kubepods(?:\.slice)?$/;
const POD_CLASS = /\/(?:kubepods-)?(?:burstable|besteffort)(?:\.slice)?$/;
const POD_GROUP = /\/(?:kubepods-(?:\w+-)?)?pod[^/]+$/;
const PROTECTED_MODE = 0o750;
const NOT_THERE = ['ENOENT', 'ENODEV'];
/** Processes that were killed are still in their control group for a moment. */
const REMOVE_ATTEMPTS = 20;
const REMOVE_PAUSE_MS = 50;

/** Running pods on Linux. Mounting needs root. */
export function linuxPodHost(): PodHost {
  return {
    keepsModes: true,
    machine: async () => ({
      cgroupVersion: cgroupVersion(),
      countsSwap: cgroupVersion() === 2 || existsSync(`${CGROUPS}/memory/memory.memsw.limit_in_bytes`),
      hugePageSizes: existsSync(`${CGROUPS}/hugetlb`) ? await hugePageSizes() : [],
    }),
    memory: readMemory,
    processes: readProcesses,
    async createMemoryFolder(folder, signal) {
      await mkdir(folder.path, { recursive: true });
      if (!(await isMounted(folder.path))) await mountMemory(folder, signal);
    },
    protectFolder: async (path) => chmod(path, PROTECTED_MODE),
    linkFolder,
    openVolumePart,
    async removeFolder(path, signal) {
      await unmountBelow(path, signal);
      await rm(path, { recursive: true, force: true });
    },
    setOwner: async (path, { uid = -1, gid = -1 }) => lchown(path, uid, gid),
    createPodCgroup: async (limits) => (cgroupVersion() === 2 ? createUnified(limits) : createSeparate(limits)),
    async removePodCgroup(path) {
      await Promise.all((await cgroupRoots()).map(async (root) => removeTree(join(root, path))));
    },
    listPodCgroups,
  };
}

function cgroupVersion(): 1 | 2 {
  return existsSync(`${CGROUPS}/cgroup.controllers`) ? 2 : 1;
}

/** The only hierarchy, or those of the first version: a folder for each controller. Links are other names of the same. */
async function cgroupRoots(): Promise<readonly string[]> {
  if (cgroupVersion() === 2) return [CGROUPS];
  const entries = await readdir(CGROUPS, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(CGROUPS, name));
}

/** The groups of pods are in the one of all pods, or in that of their class. */
async function listPodCgroups(): Promise<readonly string[]> {
  const paths = new Set<string>();
  for (const root of await cgroupRoots()) {
    const tops = (await foldersIn(root)).filter((name) => ALL_PODS.test(name));
    for (const top of tops) for (const path of await podGroupsIn(root, `/${top}`)) paths.add(path);
  }
  return [...paths];
}

async function podGroupsIn(root: string, path: string): Promise<readonly string[]> {
  const below = (await foldersIn(join(root, path))).map((name) => join(path, name));
  const classes = below.filter((group) => POD_CLASS.test(group));
  const inClasses = await Promise.all(classes.map(async (group) => podGroupsIn(root, group)));
  return [...below.filter((group) => POD_GROUP.test(group)), ...inClasses.flat()];
}

async function foldersIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

async function createSeparate({ path, cpuShares, cpuPeriod, cpuQuota, memoryLimitBytes }: PodCgroupLimits) {
  const cpu = join(CGROUPS, 'cpu', path);
  await mkdir(cpu, { recursive: true });
  await writeFile(join(cpu, 'cpu.shares'), String(cpuShares));
  if (cpuQuota !== undefined) {
    await writeFile(join(cpu, 'cpu.cfs_period_us'), String(cpuPeriod));
    await writeFile(join(cpu, 'cpu.cfs_quota_us'), String(cpuQuota));
  }
  if (memoryLimitBytes === undefined) return;
  const memory = join(CGROUPS, 'memory', path);
  await mkdir(memory, { recursive: true });
  await writeFile(join(memory, 'memory.limit_in_bytes'), String(memoryLimitBytes));
}

async function createUnified({ path, cpuShares, cpuPeriod, cpuQuota, memoryLimitBytes }: PodCgroupLimits) {
  const parts = path.split('/').filter((part) => part !== '');
  for (const depth of parts.keys()) {
    const parent = join(CGROUPS, ...parts.slice(0, depth));
    await mkdir(join(parent, parts[depth] ?? ''), { recursive: true });
    await writeFile(join(parent, 'cgroup.subtree_control'), '+cpu +memory +pids');
  }
  const folder = join(CGROUPS, path);
  await writeFile(join(folder, 'cpu.weight'), String(weightOf(cpuShares)));
  if (cpuQuota !== undefined) await writeFile(join(folder, 'cpu.max'), `${cpuQuota} ${cpuPeriod}`);
  if (memoryLimitBytes !== undefined) await writeFile(join(folder, 'memory.max'), String(memoryLimitBytes));
}

/** Shares of 2 to 262144 as weights of 1 to 10000, by the formula of runc. */
function weightOf(shares: number): number {
  return Math.floor(1 + ((shares - 2) * 9999) / 262142);
}

async function removeTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (NOT_THERE.includes(systemCodeOf(error))) return undefined;
    throw error;
  });
  // A hierarchy that is read-only refuses to remove what is not there.
  if (entries === undefined) return;
  for (const entry of entries) if (entry.isDirectory()) await removeTree(join(folder, entry.name));
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await rmdir(folder);
    } catch (error) {
      if (NOT_THERE.includes(systemCodeOf(error))) return;
      if (systemCodeOf(error) !== 'EBUSY' || attempt === REMOVE_ATTEMPTS) throw error;
      await sleep(REMOVE_PAUSE_MS);
    }
  }
}

async function hugePageSizes(): Promise<readonly string[]> {
  const names = await readdir(HUGE_PAGES).catch(() => []);
  return names.flatMap((name) => {
    const kilobytes = Number(/^hugepages-(\d+)kB$/.exec(name)?.[1] ?? 0);
    if (kilobytes === 0) return [];
    const [size, unit] = kilobytes >= 2 ** 20 ? [kilobytes / 2 ** 20, 'GB'] : [kilobytes / 2 ** 10, 'MB'];
    return [`${size}${unit}`];
  });
}
