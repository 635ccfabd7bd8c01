import * as z from 'zod/mini';

/** Where a node stands in a run. */
export const BatchNodeState = z.enum([
  'waiting',
  'surveying',
  'delivering',
  'executing',
  'proving',
  'retrying',
  'rolling-back',
  'unchanged',
  'done',
  'failed',
  'unreachable',
  'rolled-back',
  'held',
]);
export type BatchNodeState = z.infer<typeof BatchNodeState>;

/** Why something did not work, as data. */
export const BatchFailure = z.object({ code: z.string(), message: z.string(), hint: z.string() });
export type BatchFailure = z.infer<typeof BatchFailure>;

const Counts = z.record(z.string(), z.int());

/** What a run tells while it goes on: one JSON object a line with `--output json`; the same events make the picture. */
export const BatchEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('run-begun'),
    time: z.string(),
    run: z.string(),
    nodes: z.int(),
    resumed: z.boolean(),
    /** The names of all the waves, in order. */
    waves: z.optional(z.array(z.string())),
  }),
  z.object({ type: z.literal('wave-begun'), time: z.string(), wave: z.string(), nodes: z.array(z.string()) }),
  z.object({ type: z.literal('wave-soaking'), time: z.string(), wave: z.string(), seconds: z.number() }),
  z.object({ type: z.literal('wave-ended'), time: z.string(), wave: z.string() }),
  z.object({
    type: z.literal('node'),
    time: z.string(),
    node: z.string(),
    state: BatchNodeState,
    /** For people: what it is doing, or how it ended. */
    text: z.optional(z.string()),
    attempt: z.optional(z.int()),
    failure: z.optional(BatchFailure),
  }),
  z.object({
    type: z.literal('node-progress'),
    time: z.string(),
    node: z.string(),
    doneBytes: z.int(),
    totalBytes: z.int(),
  }),
  /** One line the far end has said. */
  z.object({ type: z.literal('node-log'), time: z.string(), node: z.string(), line: z.string() }),
  z.object({ type: z.literal('paused'), time: z.string() }),
  z.object({ type: z.literal('resumed'), time: z.string() }),
  z.object({
    type: z.literal('halted'),
    time: z.string(),
    wave: z.string(),
    reason: z.string(),
    /** A rule of the file (also where it is left out), or someone who asked: to hold, or to undo what is in flight too. */
    by: z.optional(z.enum(['rule', 'hold', 'abort'])),
  }),
  z.object({
    type: z.literal('run-ended'),
    time: z.string(),
    outcome: z.enum(['all-well', 'some-failed', 'halted', 'aborted']),
    counts: Counts,
  }),
]);
export type BatchEvent = z.infer<typeof BatchEvent>;
