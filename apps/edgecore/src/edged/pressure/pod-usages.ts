import { join } from 'node:path';
import type { ContainerRuntime } from '@fenestra/cri';
import type { ContainerStats } from '@fenestra/cri/messages';
import {
  type EvictionSignal,
  LABELS,
  type Pod,
  podLogFolder,
  type PodUsage,
  type StorageUsage,
  volumeFolder,
} from '@fenestra/pods';
import { type FolderUsage, folderUsage } from './folder-usage.ts';

/** What measuring pods takes. */
export interface PodUsagesOptions {
  readonly runtime: Pick<ContainerRuntime, 'containerStats' | 'sandboxStats'>;
  readonly rootFolder: string;
  readonly logFolder: string;
}

/** Measures what pods use of what the node is short of. The rest, which costs more, counts as nothing. */
export async function podUsages(
  pods: readonly Pod[],
  { signal: eviction, sharesDisk }: { readonly signal: EvictionSignal; readonly sharesDisk: boolean },
  options: PodUsagesOptions,
  signal: AbortSignal,
): Promise<readonly PodUsage[]> {
  const stats = await statsByPod(options, signal);
  const processes = eviction === 'pid.available' ? await processesByPod(options, signal) : new Map<string, number>();
  const countsLayers = eviction.startsWith('imagefs') || (sharesDisk && eviction.startsWith('nodefs'));
  const countsFolders = eviction.startsWith('nodefs') || (sharesDisk && eviction.startsWith('imagefs'));
  const usages: PodUsage[] = [];
  for (const pod of pods) {
    const own = stats.get(pod.metadata.uid) ?? [];
    const disk = [
      ...(countsLayers ? own.map(writableLayer) : []),
      ...(countsFolders ? await foldersOf(pod, options, signal) : []),
    ];
    usages.push({
      pod,
      memoryBytes: sum(own.map(({ memory }) => Number(memory?.workingSetBytes?.value ?? 0n))),
      diskBytes: sum(disk.map(({ bytes }) => bytes)),
      inodes: sum(disk.map(({ inodes }) => inodes)),
      processes: processes.get(pod.metadata.uid) ?? 0,
    });
  }
  return usages;
}

/** Measures what the limits of pods are about: the writable layer and logs of each container, and each `emptyDir`. */
export async function storageUsages(
  pods: readonly Pod[],
  options: PodUsagesOptions,
  signal: AbortSignal,
): Promise<ReadonlyMap<Pod, StorageUsage>> {
  const stats = await statsByPod(options, signal);
  const usages = new Map<Pod, StorageUsage>();
  for (const pod of pods) usages.set(pod, await storageUsage(pod, stats.get(pod.metadata.uid) ?? [], options, signal));
  return usages;
}

async function storageUsage(
  { metadata, spec }: Pod,
  stats: readonly ContainerStats[],
  { rootFolder, logFolder }: PodUsagesOptions,
  signal: AbortSignal,
): Promise<StorageUsage> {
  const containers = new Map<string, number>();
  for (const each of stats) {
    const name = each.attributes?.metadata?.name ?? '';
    const logs = await folderUsage(join(logFolder, podLogFolder(metadata), name), signal);
    containers.set(name, writableLayer(each).bytes + logs.bytes);
  }
  const volumes = new Map<string, number>();
  for (const volume of spec.volumes ?? []) {
    if (volume.emptyDir === undefined || volume.emptyDir.medium === 'Memory') continue;
    const folder = join(rootFolder, 'pods', metadata.uid, volumeFolder('empty-dir', volume));
    volumes.set(volume.name, (await folderUsage(folder, signal)).bytes);
  }
  return { containers, volumes };
}

async function statsByPod(
  { runtime }: PodUsagesOptions,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly ContainerStats[]>> {
  const stats = await runtime.containerStats({}, signal);
  return Map.groupBy(stats, ({ attributes }) => attributes?.labels[LABELS.podUid] ?? '');
}

async function processesByPod(
  { runtime }: PodUsagesOptions,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const stats = await runtime.sandboxStats({}, signal);
  return new Map(
    stats.map(({ attributes, linux }) => [
      attributes?.metadata?.uid ?? '',
      Number(linux?.process?.processCount?.value ?? 0n),
    ]),
  );
}

async function foldersOf(
  { metadata }: Pod,
  { rootFolder, logFolder }: PodUsagesOptions,
  signal: AbortSignal,
): Promise<readonly FolderUsage[]> {
  return [
    await folderUsage(join(logFolder, podLogFolder(metadata)), signal),
    await folderUsage(join(rootFolder, 'pods', metadata.uid), signal),
  ];
}

function writableLayer({ writableLayer: layer }: ContainerStats): FolderUsage {
  return { bytes: Number(layer?.usedBytes?.value ?? 0n), inodes: Number(layer?.inodesUsed?.value ?? 0n) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
