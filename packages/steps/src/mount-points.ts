import { readFile, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { systemCodeOf } from '@fenestra/kernel';

/**
 * Where Linux lists what is mounted where. Elsewhere there is no such file, and nothing of this kind. Linux' file store
 * reads the same table for itself: a port for it would have one adapter that does something.
 */
const MOUNT_TABLE = '/proc/self/mountinfo';
const MOUNT_POINT_FIELD = 4;
/** Where a kubelet mounts what pods use. */
const VOLUME_FOLDERS: readonly string[] = ['pods', 'plugins'];

/** The mount points at or below a path, the deepest first, so that they can be unmounted in this order. */
export async function mountPointsBelow(path: string): Promise<readonly string[]> {
  const table = await readFile(MOUNT_TABLE, 'utf8').catch((cause: unknown) => {
    if (systemCodeOf(cause) === 'ENOENT') return '';
    throw cause;
  });
  return mountPointsIn(table)
    .filter((point) => isWithin(point, path))
    .toReversed();
}

/**
 * Where a kubelet has mounted what pods use, the deepest first. A link in place of its folder is followed: the kernel
 * lists mounts by their real paths.
 */
export async function podVolumesBelow(kubeletFolder: string): Promise<readonly string[]> {
  const real = await realpath(kubeletFolder).catch(() => kubeletFolder);
  return podVolumesAmong(await mountPointsBelow(real), real);
}

/** Of mount points, those of pods' volumes in a kubelet's folder. */
export function podVolumesAmong(points: readonly string[], kubeletFolder: string): readonly string[] {
  return points.filter((point) => VOLUME_FOLDERS.some((name) => isWithin(point, join(kubeletFolder, name))));
}

/** The mount points in a mount table, in the order they were mounted. The kernel writes odd characters as `\040`. */
export function mountPointsIn(table: string): readonly string[] {
  const fields = table.split('\n').map((line) => line.split(' ')[MOUNT_POINT_FIELD] ?? '');
  return fields.filter((field) => field !== '').map(unescapeOctal);
}

/** Whether `path` is `folder` or below it. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!isAbsolute(way) && way.split(/[\\/]/)[0] !== '..');
}

function unescapeOctal(field: string): string {
  return field.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
