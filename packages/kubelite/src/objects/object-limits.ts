import { MAX_DEPTH } from '@fenestra/contracts/objects';

/** How many values an object may consist of: fields, list items and what is inside them. A write visits each many times. */
export const MAX_VALUES = 40_000;

/** How many values a value consists of, itself included. Stops counting beyond `limit`; `Infinity` with too many levels. */
export function countValues(value: unknown, limit: number = MAX_VALUES, levels: number = MAX_DEPTH): number {
  if (typeof value !== 'object' || value === null) return 1;
  if (levels === 0) return Number.POSITIVE_INFINITY;
  let count = 1;
  for (const child of Object.values(value)) {
    count += countValues(child, limit - count, levels - 1);
    if (count > limit) break;
  }
  return count;
}
