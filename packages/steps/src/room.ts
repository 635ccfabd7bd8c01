import { stat } from 'node:fs/promises';
import { OperatorError } from '@fenestra/kernel';
import { bytesText } from './bytes-text.ts';
import type { Host } from '@fenestra/platform';

/** What a change of version puts on a disk. */
export interface NeededRoom {
  readonly path: string;
  readonly bytes: number;
}

/** What everything else takes that is written on the way, generously. */
const SPARE_BYTES = 64 * 1024 ** 2;

/** Throws `DISK_FULL` unless each disk has room for all that goes to it: two versions and a guard are there for a while. */
export async function requireRoom({ host }: { readonly host: Host }, needed: readonly NeededRoom[]): Promise<void> {
  const disks = await Promise.all(needed.map(async ({ path, bytes }) => ({ ...(await host.disk(path)), bytes })));
  for (const { path, totalBytes, freeBytes } of disks) {
    const same = disks.filter((disk) => disk.totalBytes === totalBytes && disk.freeBytes === freeBytes);
    const wanted = same.reduce((sum, { bytes }) => sum + bytes, SPARE_BYTES);
    if (freeBytes < wanted) throw tooLittle(path, freeBytes, wanted);
  }
}

/** The size of a file. */
export async function sizeOf(path: string): Promise<number> {
  return (await stat(path)).size;
}

function tooLittle(path: string, freeBytes: number, wantedBytes: number): OperatorError {
  return new OperatorError(
    'DISK_FULL',
    `Cannot start: ${bytesText(wantedBytes)} are needed at "${path}" and ${bytesText(freeBytes)} are free`,
    { hint: 'Free some space on this disk, then run the command again.' },
  );
}
