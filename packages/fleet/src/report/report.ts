import * as z from 'zod/mini';
import { BatchFailure, BatchNodeState } from './events.ts';
import type { NodeAccount } from './node-account.ts';
import { countStates } from './node-states.ts';
import type { RunAccount, WaveAccount } from './run-account.ts';

/** What a report says of one node. */
export const BatchReportNode = z.object({
  name: z.string(),
  /** The words for keadm, with every secret left out. */
  command: z.nullable(z.array(z.string())),
  wave: z.nullable(z.string()),
  state: BatchNodeState,
  versionBefore: z.nullable(z.string()),
  versionAfter: z.nullable(z.string()),
  text: z.nullable(z.string()),
  attempts: z.int(),
  begun: z.nullable(z.string()),
  seconds: z.number(),
  failure: z.nullable(BatchFailure),
  lines: z.array(z.string()),
});
export type BatchReportNode = z.infer<typeof BatchReportNode>;

/** What a report says of one wave. */
export const BatchReportWave = z.object({
  name: z.string(),
  begun: z.nullable(z.string()),
  ended: z.nullable(z.string()),
  nodes: z.array(z.string()),
});
export type BatchReportWave = z.infer<typeof BatchReportWave>;

/** A whole run as data: `report.json`, and what `keadm batch report` and `status` tell programs. */
export const BatchReport = z.object({
  run: z.string(),
  file: z.nullable(z.string()),
  outcome: z.enum(['all-well', 'some-failed', 'halted', 'aborted', 'not-ended']),
  begun: z.nullable(z.string()),
  ended: z.nullable(z.string()),
  total: z.int(),
  counts: z.partialRecord(BatchNodeState, z.int()),
  halted: z.nullable(z.object({ wave: z.string(), reason: z.string(), by: z.enum(['rule', 'hold', 'abort']) })),
  waves: z.array(BatchReportWave),
  nodes: z.array(BatchReportNode),
});
export type BatchReport = z.infer<typeof BatchReport>;

/** A run as data for programs. */
export function reportData(account: RunAccount): BatchReport {
  const { run, file = null, outcome, begunAt, endedAt, total, halted, waves, nodes } = account;
  return {
    run,
    file,
    outcome: outcome ?? 'not-ended',
    begun: timeText(begunAt),
    ended: timeText(endedAt),
    total,
    counts: Object.fromEntries(countStates(nodes.values())),
    halted: halted ?? null,
    waves: waves.map(waveData),
    nodes: [...nodes.values()].map(nodeData),
  };
}

/** How long a node was worked on, in seconds. */
export function secondsOf({ begunAt, changedAt }: NodeAccount): number {
  return begunAt === undefined ? 0 : Math.max(0, changedAt - begunAt) / 1000;
}

function waveData({ name, begunAt, endedAt, nodes }: WaveAccount): BatchReportWave {
  return { name, begun: timeText(begunAt), ended: timeText(endedAt), nodes: [...nodes] };
}

function nodeData(node: NodeAccount): BatchReportNode {
  const { name, command, wave = null, state, versions, text = null, attempt, begunAt, failure = null, lines } = node;
  return {
    name,
    command: command === undefined ? null : [...command],
    wave,
    state,
    versionBefore: versions.before ?? null,
    versionAfter: versions.after ?? null,
    text,
    attempts: attempt,
    begun: timeText(begunAt),
    seconds: secondsOf(node),
    failure,
    lines: [...lines],
  };
}

function timeText(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}
