import { basename, join } from 'node:path';
import { lstat, readdir } from 'node:fs/promises';
import { fileError, systemCodeOf } from '@fenestra/kernel';
import { isWithin, mountPointsBelow } from '../mount-points.ts';

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

/** A folder in which a node keeps things, and what of it is the node's. */
export interface NodeFolder {
  readonly path: string;
  /** The names of what is the node's; a `*` stands for any characters. */
  readonly names: readonly string[];
  /** Whether the folder is the node's as well, so that it goes once nothing else is in it. */
  readonly own: boolean;
}

/** What earlier runs of ours that were cut off may have left beside a file, besides the file itself. */
const BESIDE: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => `.${name}.*.tmp`,
  (name) => `${name}.*.tmp`,
  (name) => `${name}.*.old`,
  (name) => `${name}.partial`,
  (name) => `staged-${name}`,
  (name) => `staged-${name}.partial`,
  (name) => `previous-*-${name}`,
  (name) => `previous-*-${name}.partial`,
];

/** The names that a file of a node's may have left in its folder: its own, and those of earlier runs. */
export function filesOf(name: string): readonly string[] {
  return BESIDE.map((beside) => beside(name));
}

/** Lists the folders that are there. */
export async function listFolders(paths: readonly string[]): Promise<readonly FolderListing[]> {
  const listings = await Promise.all(paths.map(listFolder));
  return listings.filter((listing) => listing !== undefined);
}

async function listFolder(path: string): Promise<FolderListing | undefined> {
  try {
    const [entries, found] = await Promise.all([readdir(path), lstat(path)]);
    return { path, entries, link: found.isSymbolicLink(), mountPoints: await mountPointsBelow(path) };
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCodeOf(cause))) return undefined;
    throw fileError(cause, `list the folder "${path}"`);
  }
}

/** A machine as a reset has seen it. */
export interface FolderSight {
  readonly folders: readonly JudgedFolder[];
  readonly kept: readonly Kept[];
}

/** What went and what stayed between two looks at a machine. What is inside something that went is not named again. */
export function compareFolders(
  before: FolderSight,
  after: FolderSight,
): { readonly removed: readonly string[]; readonly kept: readonly Kept[] } {
  const removed = before.folders.flatMap((folder) => gone(folder, after.folders));
  // What was kept for a reason that can no longer be seen, since the configuration is gone, is kept all the same.
  const kept = [...after.kept, ...before.kept.filter(({ path }) => !removed.includes(path))];
  return {
    removed: removed.filter((path) => !removed.some((other) => other !== path && isWithin(path, other))).toSorted(),
    kept: kept.filter(({ path }, index) => kept.findIndex((other) => other.path === path) === index),
  };
}

function gone(folder: JudgedFolder, now: readonly JudgedFolder[]): readonly string[] {
  const left = now.find(({ path }) => path === folder.path);
  if (left === undefined && folder.vanishes) return [folder.path];
  const there = left === undefined ? [] : [...left.goes, ...left.mounted];
  return folder.goes.filter((path) => !there.includes(path));
}

/** Whether a file's name is one of these. A `*` in a pattern stands for any characters. */
export function matchesAny(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => expressionOf(pattern).test(name));
}

function expressionOf(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}
