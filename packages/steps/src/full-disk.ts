import { OperatorError } from '@fenestra/kernel';
import type { Host } from '@fenestra/platform';

/** An agent that finds less than this can neither keep its database nor say what is wrong with it. */
const TOO_LITTLE_BYTES = 1024 * 1024;

/** Says `DISK_FULL` in place of what came of it, if one of these folders is on a disk without room; else the failure itself. */
export async function blameFullDisk(host: Host, folders: readonly string[], failure: unknown): Promise<unknown> {
  for (const folder of folders) {
    const { freeBytes } = await host.disk(folder);
    if (freeBytes < TOO_LITTLE_BYTES) return fullDisk(folder, freeBytes, failure);
  }
  return failure;
}

function fullDisk(folder: string, free: number, cause: unknown): OperatorError {
  return new OperatorError('DISK_FULL', `The agent cannot work: the disk of "${folder}" has ${free} bytes free`, {
    hint: 'Free some space on this disk, then run the command again.',
    cause,
    details: { free },
  });
}
