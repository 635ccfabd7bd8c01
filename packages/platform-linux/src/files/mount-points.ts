import { readFile } from 'node:fs/promises';
import { isStrictlyInside } from './safe-path.ts';

const MOUNT_POINT_FIELD = 4;

/** The mount points at or below a path. Deleting through one would reach into another disk or a bind-mounted folder. */
export async function mountPointsWithin(path: string): Promise<readonly string[]> {
  const points = parseMountPoints(await readFile('/proc/self/mountinfo', 'utf8'));
  return points.filter((point) => point === path || isStrictlyInside(point, path));
}

/** The mount points in the kernel's `mountinfo` table, which writes odd characters as `\040`. */
export function parseMountPoints(mountInfo: string): readonly string[] {
  const lines = mountInfo.split('\n').filter((line) => line !== '');
  return lines.map((line) => unescapeOctal(line.split(' ')[MOUNT_POINT_FIELD] ?? ''));
}

function unescapeOctal(field: string): string {
  return field.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
