import type { BatchEvent, BatchFailure, BatchNodeState } from '@fenestra/contracts/batch';
import type { BatchNode } from '../inventory/batch-node.ts';
import type { RunClock } from './clock.ts';
import type { NodeSurvey, NodeWorker } from './node-worker.ts';
import type { RunPolicy } from './policy.ts';
import type { PlannedWave, RunRecord } from './record.ts';
import type { RunOutcome } from './run-state.ts';

/** What a run is made of. */
export interface RunOptions {
  readonly id: string;
  /** The file that the nodes are from, and the digest of its text. */
  readonly batch: { readonly file: string; readonly digest: string };
  /** In the order of the file. */
  readonly nodes: readonly BatchNode[];
  readonly policy: RunPolicy;
  readonly worker: NodeWorker;
  /** Where the run is kept: a new one begins the run, one with records goes on where they end. */
  readonly records: RunRecords;
  readonly clock: RunClock;
  /** At least 0 and less than 1. */
  readonly random: () => number;
  /** Told after the journal has it. */
  readonly onEvent: (event: BatchEvent) => void;
  /** Fired: this process has to go. All is left as it is, for another one that goes on, and `ended` rejects. */
  readonly signal: AbortSignal;
}

/** The journal and the logs of a run. */
export interface RunRecords {
  /** What an earlier process has written, in order. */
  readonly earlier: readonly RunRecord[];
  /** Resolves when the record will outlive a crash of the machine. */
  append(record: RunRecord): Promise<void>;
  /** Keeps a line of what the far end said; may be lost in a crash. */
  log(node: string, line: string): void;
}

/** A run that goes on. */
export interface Run {
  /** Nothing new begins until `continue`; what is in flight goes on. */
  pause(): void;
  continue(): void;
  /** What is in flight is finished, nothing new begins, and the run ends. */
  hold(): void;
  /** What is in flight is interrupted and undone, nothing new begins, and the run ends. */
  abort(): void;
  readonly ended: Promise<RunResult>;
}

/** How a run ended. */
export interface RunResult {
  readonly outcome: RunOutcome;
  /** How many nodes are in each state. */
  readonly counts: Readonly<Record<string, number>>;
  /** In the order of the file. */
  readonly nodes: readonly NodeResult[];
}

/** How one node ended. */
export interface NodeResult {
  readonly name: string;
  readonly state: BatchNodeState;
  readonly failure: BatchFailure | undefined;
}

/** What a run would do. */
export interface RunPlan {
  readonly waves: readonly PlannedWave[];
  /** In the order of the file. */
  readonly nodes: readonly PlannedNode[];
}

/** What a run would do to one node. */
export interface PlannedNode {
  readonly name: string;
  /** `change`, `nothing` to do, or it could not be reached or looked at. */
  readonly fate: 'change' | 'nothing' | 'unreachable' | 'failed';
  /** The wave that it goes with, if it is to be changed. */
  readonly wave: string | undefined;
  readonly survey: NodeSurvey | undefined;
  readonly failure: BatchFailure | undefined;
}
