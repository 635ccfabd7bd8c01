import { OperatorError } from '@fenestra/kernel';
import type { Host } from '@fenestra/platform';

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
