import { bytesText } from '@fenestra/platform';
import { fail, pass, warn } from '@fenestra/session';
import type { Check } from './check.ts';

const GIBIBYTE = 1024 ** 3;
/** Two versions of the program, a backup and a database must fit at the same time. */
const LEAST_FREE = GIBIBYTE;
const COMFORTABLE_FREE = 4 * GIBIBYTE;

/** Whether there is room for an upgrade, not only for the agent. */
export const disk: Check = {
  name: 'disk',
  judge({ disk: { path, freeBytes, totalBytes } }) {
    const found = `${bytesText(freeBytes)} free of ${bytesText(totalBytes)} at "${path}"`;
    if (freeBytes < LEAST_FREE) return fail(found, `Free at least ${bytesText(LEAST_FREE)}.`);
    if (freeBytes < COMFORTABLE_FREE) return warn(found, 'Free some space: images and backups need it.');
    return pass(found);
  },
};
