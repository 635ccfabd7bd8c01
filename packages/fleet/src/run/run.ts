import { setTimeout as sleep } from 'node:timers/promises';
import type { BatchNode } from '../inventory/batch.ts';
import type { BatchEvent, BatchFailure, BatchNodeState } from '../report/events.ts';
import type { NodeSurvey, NodeWorker } from './node-worker.ts';
import type { RunPolicy } from './policy.ts';
import type { PlannedWave, RunRecord } from './record.ts';
import type { RunOutcome } from './run-state.ts';

/** What a run is made of. */
export interface RunOptions {
  readonly id: string;
  /** The file that the nodes are from, and the digest of its text. */
  readonly batch: { readonly file: string; readonly digest: string };
  readonly nodes: readonly BatchNode[];
  readonly policy: RunPolicy;
  readonly worker: NodeWorker;
  /** Where the run is recorded: an empty one starts the run, one with records resumes it. */
  readonly records: RunRecords;
  readonly clock: RunClock;
  /** At least 0 and less than 1. */
  readonly random: () => number;
  /** Called after the event is in the journal. */
  readonly onEvent: (event: BatchEvent) => void;
  /** Fires when this process must exit. Everything is left for another process to resume, and `ended` rejects. */
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

/** A run in progress. */
export interface Run {
  /** Nothing new begins until `continue`; work in flight continues. */
  pause(): void;
  continue(): void;
  /** Finishes work in flight, begins nothing new and ends the run. */
  hold(): void;
  /** Interrupts and undoes work in flight, begins nothing new and ends the run. */
  abort(): void;
  readonly ended: Promise<RunResult>;
}

/** How a run ended. */
export interface RunResult {
  readonly outcome: RunOutcome;
  readonly counts: Readonly<Record<string, number>>;
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
  readonly nodes: readonly PlannedNode[];
}

/** What a run would do to one node. */
export interface PlannedNode {
  readonly name: string;
  /** `change`, `nothing` to do, or the survey failed. */
  readonly fate: 'change' | 'nothing' | 'unreachable' | 'failed';
  /** The wave that it goes with, if it is to be changed. */
  readonly wave: string | undefined;
  readonly survey: NodeSurvey | undefined;
  readonly failure: BatchFailure | undefined;
}

/** Time, as a run knows it. */
export interface RunClock {
  now(): Date;
  /** Rejects with the signal's reason if that fires first. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** The time of this machine. */
export const systemClock: RunClock = {
  now: () => new Date(),
  async wait(milliseconds, signal) {
    await sleep(milliseconds, undefined, { signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw error;
    });
  },
};
