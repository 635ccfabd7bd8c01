import { PREFIX } from './wine-base.ts';

/** A path of this machine (shared with the node) or of the node's root, as Windows programs on the node name it. */
export function toWindowsPath(path: string): string {
  return `Z:${path.replaceAll('/', '\\')}`;
}

/** Where a Windows path (`C:\x` or `Z:\x`) is in the node's root. Upper and lower case must be as on the disk. */
export function toUnixPath(path: string): string {
  const drive = path.slice(0, 2).toUpperCase();
  const rest = path.slice(2).replaceAll('\\', '/');
  if (drive === 'C:') return `${PREFIX}/drive_c${rest}`;
  if (drive === 'Z:') return rest;
  throw new Error(`A Windows node has drives C: and Z:, not "${drive}"`);
}
