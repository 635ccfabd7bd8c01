import { isWithin } from '../mount-points.ts';
import type { JudgedFolder, Kept } from './judge-folders.ts';

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
