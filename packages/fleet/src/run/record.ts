import { BatchEvent } from '../report/events.ts';
import * as z from 'zod/mini';
import type { NodeSurvey } from './node-worker.ts';

const StoredSurvey = z.object({
  os: z.enum(['linux', 'windows']),
  arch: z.enum(['x64', 'arm64']),
  shell: z.enum(['posix', 'cmd', 'powershell']),
  installedVersion: z.optional(z.string()),
  state: z.enum(['absent', 'running', 'stopped']),
  action: z.enum(['nothing', 'change']),
  previewed: z.optional(z.boolean()),
  summary: z.string(),
  missingBytes: z.number(),
  clockAheadSeconds: z.number(),
  notes: z.record(z.string(), z.string()),
});

// JSON has no `undefined`: absent values are omitted. A run of an earlier version knows no previews.
const Survey: z.ZodMiniType<NodeSurvey> = z.pipe(
  StoredSurvey,
  z.transform(({ previewed = false, ...stored }) => ({
    ...stored,
    previewed,
    installedVersion: stored.installedVersion,
  })),
);

const KnownNode = z.object({
  name: z.string(),
  groups: z.readonly(z.array(z.string())),
  /** The arguments of keadm with every secret replaced. */
  shownCommand: z.readonly(z.array(z.string())),
});

const PlannedWave = z.object({
  name: z.string(),
  nodes: z.readonly(z.array(z.string())),
  soakSeconds: z.number(),
});

/** One wave with the nodes that it takes. */
export type PlannedWave = z.infer<typeof PlannedWave>;

const Opened = z.object({
  type: z.literal('opened'),
  time: z.string(),
  run: z.string(),
  /** The batch file and the digest of its text, so that a run is resumed with the same file. */
  batch: z.object({ file: z.string(), digest: z.string() }),
  nodes: z.readonly(z.array(KnownNode)),
});

/** The record that opens a run's journal: what the run is about. */
export type OpenedRecord = z.infer<typeof Opened>;

const Surveyed = z.object({ type: z.literal('surveyed'), time: z.string(), node: z.string(), survey: Survey });
const Tidied = z.object({ type: z.literal('tidied'), time: z.string(), node: z.string() });
const Planned = z.object({ type: z.literal('planned'), time: z.string(), waves: z.readonly(z.array(PlannedWave)) });

/** One line of a run's journal: events, and what a later process needs to resume the run. Never a secret. */
export const RunRecord = z.union([z.discriminatedUnion('type', [Opened, Surveyed, Planned, Tidied]), BatchEvent]);
export type RunRecord = z.infer<typeof RunRecord>;

type Untimed<R> = R extends RunRecord ? Omit<R, 'time'> : never;

/** A record before it is stamped with the time. */
export type NewRunRecord = Untimed<RunRecord>;

const NOT_EVENTS: ReadonlySet<string> = new Set(['opened', 'surveyed', 'planned', 'tidied']);

/** Whether the record is published as an event. */
export function isEvent(record: RunRecord): record is BatchEvent {
  return !NOT_EVENTS.has(record.type);
}
