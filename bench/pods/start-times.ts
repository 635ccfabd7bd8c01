import { median } from '../ratio.ts';

/** How long each of some pods took until its container ran, from when all of them were asked for, in milliseconds. */
export interface StartTimes {
  readonly each: readonly number[];
}

/** Until the last one ran. */
export function untilAll({ each }: StartTimes): number {
  return Math.max(...each);
}

/** Until half of them ran. */
export function untilHalf({ each }: StartTimes): number {
  return median(each);
}
