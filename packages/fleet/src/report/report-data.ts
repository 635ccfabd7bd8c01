import type { BatchReport, BatchReportNode, BatchReportWave } from './report.ts';
import { countStates } from './node-states.ts';
import type { NodeAccount } from './node-account.ts';
import type { RunAccount, WaveAccount } from './run-account.ts';

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
