import { ACKNOWLEDGEMENT_TIMEOUT_MS, MAX_UNACKNOWLEDGED } from '@fenestra/contracts';

/** One version of one object, ready to be sent. */
export interface Parcel {
  readonly key: string;
  readonly resourceVersion: string;
  readonly deletes: boolean;
  /** What the node's answer refers to. */
  readonly id: string;
}

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

/** One object on its way: what the node shall have, and what it was sent last. */
export interface Entry<P extends Parcel> {
  wanted: P;
  sent: P | undefined;
  attempts: number;
  sentAt: number;
  /** In flight: when to stop waiting for the answer. Waiting: when to send again. */
  dueAt: number;
}

/** What is on its way to one node. Every object is in exactly one of the three lanes. */
export interface DeliveryWindow<P extends Parcel> {
  readonly options: WindowOptions;
  readonly entries: Map<string, Entry<P>>;
  readonly sentIds: Map<string, Entry<P>>;
  readonly fresh: Set<Entry<P>>;
  /** In the order of sending. */
  readonly flying: Set<Entry<P>>;
  readonly waiting: Set<Entry<P>>;
  /** How many may fly now: shrinks while the node is silent, grows with every answer. */
  limit: number;
  shrunkAt: number;
  /** How many of those that fly are repetitions. */
  repeating: number;
  unanswered: number;
  answeredAt: number;
  sentAt: number;
  /** Nothing in `waiting` is due before this. */
  retryAt: number;
}

/** A window with nothing in it. */
export function openWindow<P extends Parcel>(options: WindowOptions): DeliveryWindow<P> {
  return {
    options,
    entries: new Map(),
    sentIds: new Map(),
    fresh: new Set(),
    flying: new Set(),
    waiting: new Set(),
    limit: options.size,
    shrunkAt: Number.NEGATIVE_INFINITY,
    repeating: 0,
    unanswered: 0,
    answeredAt: Number.NEGATIVE_INFINITY,
    sentAt: Number.NEGATIVE_INFINITY,
    retryAt: Number.POSITIVE_INFINITY,
  };
}
