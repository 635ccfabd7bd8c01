import { bytesText, type DiskFacts } from '@fenestra/platform';
import { type Check, fail, pass, warn } from './check.ts';

/** A disk, and the space that is needed on it. */
export interface DiskSpace {
  readonly disk: DiskFacts;
  readonly neededBytes: number;
  /** Below this there is a warning. */
  readonly comfortableBytes?: number;
}

/** Whether there is enough free disk space. */
export const disk: Check<{ readonly space: DiskSpace }> = {
  name: 'disk',
  about: 'there is enough free disk space',
  judge({ space: { disk: found, neededBytes, comfortableBytes = 0 } }) {
    const { freeBytes, totalBytes, path } = found;
    const reason = `${bytesText(freeBytes)} free of ${bytesText(totalBytes)} at "${path}", ${bytesText(neededBytes)} needed`;
    if (freeBytes < neededBytes) return fail(reason, `Free at least ${bytesText(neededBytes)}.`);
    if (freeBytes < comfortableBytes) return warn(reason, 'Free some space: images and backups need it.');
    return pass(reason);
  },
};
