import { ACKNOWLEDGEMENT_TIMEOUT_MS, MAX_UNACKNOWLEDGED } from '@fenestra/contracts';

/** How a window behaves. */
export interface WindowOptions {
  /** Objects under way at once. Upstream's agent loses messages when more than 100 wait for it. */
  readonly size: number;
  /** How long a sent object holds its place while no answer comes. */
  readonly answerMs: number;
  /** The wait before the first repetition; it doubles until the longest. */
  readonly firstRetryMs: number;
  readonly longestRetryMs: number;
  /** After this many sendings without any answer, the node is only probed. */
  readonly unanswered: number;
  readonly probeMs: number;
  readonly random: () => number;
}

/** Upstream's time to wait for an answer, and a window far below its agent's queue. */
export const WINDOW: WindowOptions = {
  size: 32,
  answerMs: ACKNOWLEDGEMENT_TIMEOUT_MS,
  firstRetryMs: 1_000,
  longestRetryMs: 300_000,
  unanswered: MAX_UNACKNOWLEDGED,
  probeMs: 30_000,
  random: Math.random,
};
