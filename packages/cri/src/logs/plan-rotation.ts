import { instanceLogFiles } from './log-files.ts';

/** What a rotation depends on. */
export interface RotationFacts {
  /** The names in the log folder of the container. */
  readonly names: readonly string[];
  readonly attempt: number;
  /** How many files the log of an instance has at most, the one that is written included. */
  readonly maxFiles: number;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** How to rotate a log, in this order. The runtime has to open its file again after the rename. */
export interface RotationPlan {
  readonly remove: readonly string[];
  readonly compress: readonly string[];
  readonly rename: { readonly from: string; readonly to: string };
}

/** The file that is written, and the one that a rotation makes. */
const FILES_AFTER_ROTATION = 2;
const SECOND_MS = 1_000;

/**
 * Plans the rotation of the log of one instance. The newest rotated file is compressed only by the next rotation: the
 * runtime may still write its last lines.
 */
export function planRotation({ names, attempt, maxFiles, now }: RotationFacts): RotationPlan {
  const { current, rotated, leftovers } = instanceLogFiles(names, attempt);
  const excess = Math.max(0, rotated.length - (maxFiles - FILES_AFTER_ROTATION));
  const kept = rotated.slice(excess);
  return {
    remove: [...leftovers, ...rotated.slice(0, excess).map(({ name }) => name)],
    compress: kept.filter(({ isCompressed }) => !isCompressed).map(({ name }) => name),
    rename: { from: current, to: `${current}.${timeAfter(rotated.at(-1)?.base, now)}` },
  };
}

/** The present time, but later than that of the newest file even if the clock was set back: names give the order. */
function timeAfter(newest: string | undefined, now: number): string {
  const present = timeText(now);
  const last = newest?.slice(-present.length) ?? '';
  return last < present ? present : timeText(readTime(last) + SECOND_MS);
}

function timeText(milliseconds: number): string {
  const [date = '', time = ''] = new Date(milliseconds).toISOString().split(/[T.]/);
  return `${date.replaceAll('-', '')}-${time.replaceAll(':', '')}`;
}

function readTime(text: string): number {
  return Date.parse(text.replace(/^(....)(..)(..)-(..)(..)(..)$/, '$1-$2-$3T$4:$5:$6Z'));
}
