import { bytesText } from '@fenestra/platform';
import { fail, pass, warn } from '@fenestra/session';
import type { Check } from './check.ts';

const MEBIBYTE = 1024 * 1024;
/** The agent alone needs about a quarter of this. */
const LEAST_TOTAL = 256 * MEBIBYTE;
const LEAST_FREE = 128 * MEBIBYTE;

/** Whether the agent and a few small pods fit. */
export const memory: Check = {
  name: 'memory',
  judge({ host: { totalMemoryBytes, freeMemoryBytes } }) {
    const found = `${bytesText(freeMemoryBytes)} free of ${bytesText(totalMemoryBytes)}`;
    if (totalMemoryBytes < LEAST_TOTAL) return fail(found, `Give the machine at least ${bytesText(LEAST_TOTAL)}.`);
    if (freeMemoryBytes < LEAST_FREE) return warn(found, 'Stop programs that are not needed.');
    return pass(found);
  },
};
