import { existsSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from './cache.ts';
import { type Cage, openCage } from './cage.ts';
import { CHECKOUT } from './checkout.ts';

/** The root file system of one test node: a cached base below, everything the node writes in memory above it. */
export interface NodeRoot {
  readonly cage: Cage;
  /** Where the root is mounted, as seen inside the cage. */
  readonly folder: string;
  /** A path of the node as the test process can use it. */
  path(inner: string): string;
}

/** Opens a cage with a writable root over an unchanging base. */
export async function openNodeRoot(name: string, base: string, signal: AbortSignal): Promise<NodeRoot> {
  // One mount point for all nodes: each sees only its own mount there.
  const memory = join(cacheFolder(), 'mount-point');
  await mkdir(memory, { recursive: true });
  const cage = await openCage(name, signal);
  try {
    await cage.mount(['-t', 'tmpfs', '-o', 'mode=755', 'tmpfs', memory], signal);
    for (const part of ['upper', 'work', 'root']) await mkdir(cage.path(join(memory, part)));
    const layers = `lowerdir=${base},upperdir=${memory}/upper,workdir=${memory}/work`;
    await cage.mount(['-t', 'overlay', '-o', layers, 'overlay', `${memory}/root`], signal);
  } catch (error) {
    await cage.close();
    throw error;
  }
  const folder = join(memory, 'root');
  return { cage, folder, path: (inner) => cage.path(join(folder, inner)) };
}

/** Lets the node find others by name the way this machine does; for a node that shares its network. */
export async function shareNames(root: NodeRoot): Promise<void> {
  for (const file of ['/etc/resolv.conf', '/etc/hosts']) await copyFile(file, root.path(file));
}

/** Mounts what programs expect of a running system, for a root that is entered by chroot. */
export async function mountSystem(cage: Cage, folder: string, signal: AbortSignal): Promise<void> {
  await cage.mount(['-t', 'proc', 'proc', `${folder}/proc`], signal);
  await cage.mount(['--rbind', '/sys', `${folder}/sys`], signal);
  await cage.mount(['--rbind', '/dev', `${folder}/dev`], signal);
}

/** Shows the checkout (read-only) and the shared folders (writable) inside the node under their own paths. */
export async function mountShared(root: NodeRoot, shared: readonly string[], signal: AbortSignal): Promise<void> {
  await bind(root, CHECKOUT, CHECKOUT, ['-o', 'ro'], signal);
  for (const folder of shared) await mountFolder(root, folder, folder, signal);
}

/** Shows a folder of this machine inside the node, writable, under a path of the node's root. */
export async function mountFolder(root: NodeRoot, folder: string, inner: string, signal: AbortSignal): Promise<void> {
  await bind(root, folder, inner, [], signal);
}

async function bind(
  root: NodeRoot,
  folder: string,
  inner: string,
  options: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  if (!existsSync(root.path(inner))) await mkdir(root.path(inner), { recursive: true });
  await root.cage.mount(['--bind', ...options, folder, join(root.folder, inner)], signal);
}
