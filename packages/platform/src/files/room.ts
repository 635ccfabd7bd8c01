import { stat } from 'node:fs/promises';
import { OperatorError, fileError } from '@fenestra/kernel';
import type { Host } from '../host.ts';

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
  return stat(path).then(
    ({ size }) => size,
    (cause: unknown) => {
      throw fileError(cause, `look at "${path}"`);
    },
  );
}

function tooLittle(path: string, freeBytes: number, wantedBytes: number): OperatorError {
  return new OperatorError(
    'DISK_FULL',
    `Cannot start: ${bytesText(wantedBytes)} are needed at "${path}" and ${bytesText(freeBytes)} are free`,
    { hint: 'Free some space on this disk, then run the command again.' },
  );
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** `1536` → `1.5 KiB`. */
export function bytesText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${value >= 100 || Number.isInteger(value) ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`;
}

/** Throws `DISK_FULL` before anything is written if the disk that holds `path` cannot take this much more. */
export async function requireSpace(host: Host, path: string, bytes: number): Promise<void> {
  const { freeBytes } = await host.disk(path);
  if (freeBytes >= bytes) return;
  const message = `Cannot put ${bytes} bytes at "${path}": its disk has ${freeBytes} bytes free`;
  throw new OperatorError('DISK_FULL', message, {
    hint: 'Free some space on this disk, then run the command again.',
    details: { needed: bytes, free: freeBytes },
  });
}
