import { bytesText } from '@fenestra/platform';
import { fail, pass, warn } from '@fenestra/session';
import type { Check } from '../check.ts';

/** A kubelet and a container runtime alone need about half of this. */
const LEAST_TOTAL = 512 * 1024 ** 2;
const COMFORTABLE_TOTAL = 1024 ** 3;

/** Whether a kubelet, a container runtime and a few small pods fit. */
export const memory: Check = {
  name: 'memory',
  judge({ host: { totalMemoryBytes, freeMemoryBytes } }) {
    const found = `${bytesText(freeMemoryBytes)} free of ${bytesText(totalMemoryBytes)}`;
    if (totalMemoryBytes < LEAST_TOTAL) return fail(found, `Give the machine at least ${bytesText(LEAST_TOTAL)}.`);
    if (totalMemoryBytes < COMFORTABLE_TOTAL) return warn(found, 'Do not expect many pods to fit.');
    return pass(found);
  },
};
