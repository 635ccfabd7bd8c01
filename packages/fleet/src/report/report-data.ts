import type { BatchFailure, BatchNodeState } from '@fenestra/contracts';
import { countStates } from './node-states.ts';
import type { NodeAccount } from './node-account.ts';
import type { RunAccount, WaveAccount } from './run-account.ts';

/** A whole run as data: what `keadm batch report --format json` prints. */
export interface ReportData {
  readonly run: string;
  readonly outcome: string;
  readonly begun: string | null;
  readonly ended: string | null;
  readonly total: number;
  readonly counts: Readonly<Partial<Record<BatchNodeState, number>>>;
  readonly halted: RunAccount['halted'] | null;
  readonly waves: readonly WaveData[];
  readonly nodes: readonly NodeData[];
}

interface WaveData {
  readonly name: string;
  readonly begun: string | null;
  readonly ended: string | null;
  readonly nodes: readonly string[];
}

interface NodeData {
  readonly name: string;
  readonly wave: string | null;
  readonly state: BatchNodeState;
  readonly text: string | null;
  readonly attempts: number;
  readonly begun: string | null;
  readonly seconds: number;
  readonly failure: BatchFailure | null;
  /** The last lines that were said there. */
  readonly lines: readonly string[];
}

/** A run as data for programs. */
export function reportData(account: RunAccount): ReportData {
  const { run, outcome, begunAt, endedAt, total, halted, waves, nodes } = account;
  return {
    run,
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

function waveData({ name, begunAt, endedAt, nodes }: WaveAccount): WaveData {
  return { name, begun: timeText(begunAt), ended: timeText(endedAt), nodes };
}

function nodeData(node: NodeAccount): NodeData {
  const { name, wave = null, state, text = null, attempt, begunAt, failure = null, lines } = node;
  const seconds = secondsOf(node);
  return { name, wave, state, text, attempts: attempt, begun: timeText(begunAt), seconds, failure, lines };
}

function timeText(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}
