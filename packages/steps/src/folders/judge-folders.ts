import { basename, join } from 'node:path';
import { isWithin } from '../mount-points.ts';
import { matchesAny } from '../name-pattern.ts';
import type { NodeFolder } from './node-folder.ts';

/** What is in a folder that is there. */
export interface FolderListing {
  readonly path: string;
  readonly entries: readonly string[];
  /** A link in place of the folder was made by the operator, and stays. */
  readonly link: boolean;
  /** Where something is mounted, at or below the folder. */
  readonly mountPoints: readonly string[];
}

/** A folder with what a reset does about it. */
export interface JudgedFolder extends NodeFolder {
  /** Paths that go. */
  readonly goes: readonly string[];
  /** Paths of the node that stay because something is mounted there. */
  readonly mounted: readonly string[];
  /** Paths that are not the node's. Only a folder of the node's own has any: elsewhere everybody is at home. */
  readonly strangers: readonly string[];
  /** Whether the folder goes. */
  readonly vanishes: boolean;
}

/** Something that a reset leaves, and why. */
export interface Kept {
  readonly path: string;
  readonly why: string;
}

/** Sorts what is in the folders. Those inside another come before it, and so count as gone if they go. */
export function judgeFolders(
  folders: readonly NodeFolder[],
  listings: readonly FolderListing[],
): readonly JudgedFolder[] {
  const judged: JudgedFolder[] = [];
  for (const folder of folders) {
    const listing = listings.find(({ path }) => path === folder.path);
    if (listing !== undefined) judged.push(judge(folder, listing, folders, judged));
  }
  return judged;
}

function judge(
  folder: NodeFolder,
  { entries, link, mountPoints }: FolderListing,
  folders: readonly NodeFolder[],
  judged: readonly JudgedFolder[],
): JudgedFolder {
  const paths = entries.map((entry) => join(folder.path, entry));
  const [inner, plain] = partition(paths, (path) => folders.some((other) => other.path === path));
  const [known, others] = partition(plain, (path) => matchesAny(basename(path), folder.names));
  const [mounted, goes] = partition(known, (path) => mountPoints.some((point) => isWithin(point, path)));
  const strangers = folder.own ? others : [];
  const staying = inner.filter((path) => !judged.some((child) => child.path === path && child.vanishes));
  const empty = [...mounted, ...others, ...staying].length === 0;
  const vanishes = folder.own && empty && !link && !mountPoints.includes(folder.path);
  return { ...folder, goes, mounted, strangers, vanishes };
}

function partition<T>(items: readonly T[], test: (item: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
