import { bytesText, type HostFacts } from '@fenestra/platform';
import { type Check, fail, pass, warn } from './check.ts';

/** The memory that a kind of node needs. */
export interface MemoryNeeds {
  readonly totalBytes: number;
  /** Below this total there is a warning. */
  readonly comfortableBytes: number;
  /** Below this much free memory there is a warning. */
  readonly freeBytes: number;
}

/** Whether the agent and a few small pods fit. */
export const memory: Check<{
  readonly host: Pick<HostFacts, 'totalMemoryBytes' | 'freeMemoryBytes'>;
  readonly memoryNeeds: MemoryNeeds;
}> = {
  name: 'memory',
  about: 'there is enough memory for the agent and a few small pods',
  judge({ host: { totalMemoryBytes, freeMemoryBytes }, memoryNeeds: { totalBytes, comfortableBytes, freeBytes } }) {
    const found = `${bytesText(freeMemoryBytes)} free of ${bytesText(totalMemoryBytes)}`;
    if (totalMemoryBytes < totalBytes) return fail(found, `Give the machine at least ${bytesText(totalBytes)}.`);
    if (totalMemoryBytes < comfortableBytes) return warn(found, 'Do not expect many pods to fit.');
    if (freeMemoryBytes < freeBytes) return warn(found, 'Stop programs that are not needed.');
    return pass(found);
  },
};
