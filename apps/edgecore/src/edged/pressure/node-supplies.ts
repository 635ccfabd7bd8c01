import { stat } from 'node:fs/promises';
import type { EvictionSignal, Supply } from '@fenestra/pods';
import type { DiskFacts, Host, PodHost } from '@fenestra/platform';

/** What measuring a node takes. */
export interface NodeSuppliesOptions {
  readonly host: Pick<Host, 'disk'>;
  readonly podHost: Pick<PodHost, 'memory' | 'processes'>;
  /** Where volumes of pods are. */
  readonly rootFolder: string;
  /** Where images are; throws while the runtime cannot say it. */
  readonly imageFolder: (signal: AbortSignal) => Promise<string>;
}

/** How much a node has of what it can run short of. */
export interface NodeSupplies {
  readonly supplies: ReadonlyMap<EvictionSignal, Supply>;
  /** Whether images are on the disk of the volumes. */
  readonly sharesDisk: boolean;
}

/** Measures the node. What cannot be measured now is left out, and counts as enough. */
export async function readSupplies(options: NodeSuppliesOptions, signal: AbortSignal): Promise<NodeSupplies> {
  const { host, podHost, rootFolder } = options;
  const memory = await podHost.memory();
  const processes = await podHost.processes();
  const imageFolder = await options.imageFolder(signal).catch(() => undefined);
  const supplies: (readonly [EvictionSignal, Supply])[] = [
    ['memory.available', { available: memory.availableBytes, capacity: memory.totalBytes }],
    ...diskSupplies('nodefs', await host.disk(rootFolder)),
    ...(imageFolder === undefined ? [] : diskSupplies('imagefs', await host.disk(imageFolder))),
  ];
  if (processes !== undefined) {
    const { limit, running } = processes;
    supplies.push(['pid.available', { available: limit - running, capacity: limit }]);
  }
  const sharesDisk = imageFolder === undefined || (await areOnOneDisk(rootFolder, imageFolder));
  return { supplies: new Map(supplies), sharesDisk };
}

function diskSupplies(
  name: 'nodefs' | 'imagefs',
  { freeBytes, totalBytes, inodes }: DiskFacts,
): readonly (readonly [EvictionSignal, Supply])[] {
  const bytes = [`${name}.available`, { available: freeBytes, capacity: totalBytes }] as const;
  if (inodes === undefined) return [bytes];
  return [bytes, [`${name}.inodesFree`, { available: inodes.free, capacity: inodes.total }]];
}

async function areOnOneDisk(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map(async (path) => stat(path).catch(() => undefined)));
  return first === undefined || second === undefined || first.dev === second.dev;
}
