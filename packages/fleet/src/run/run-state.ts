import type { BatchEvent, BatchFailure, BatchNodeState } from '@fenestra/contracts/batch';
import type { NodeSurvey } from './node-worker.ts';
import type { NodePart } from './parts.ts';
import type { OpenedRecord, PlannedWave, RunRecord } from './record.ts';
import { waitsToBeginAfresh } from './retry.ts';

/** Where one node stands. */
export interface NodeStanding {
  readonly name: string;
  readonly state: BatchNodeState;
  /** The part of the work that was begun last: where a node that was cut off goes on. */
  readonly part: NodePart | undefined;
  readonly survey: NodeSurvey | undefined;
  readonly failure: BatchFailure | undefined;
  /** Which try at the command is the last, begun or next to begin: each is a job of its own there. */
  readonly commandTry: number;
  /**
   * Whether what went wrong halts nothing: it lies before an end of the run after which somebody let it go on, or only
   * a halt kept the node from its next try.
   */
  readonly excused: boolean;
  /** Whether there is nothing to tidy there: nothing was begun, or it has been done. What is as wanted may hold old things. */
  readonly tidied: boolean;
}

/** Why nothing new begins. */
export interface Halt {
  readonly wave: string;
  readonly reason: string;
  /** A rule of the file, or somebody who asked: to hold, or to undo what is in flight as well. */
  readonly by: 'rule' | 'hold' | 'abort';
}

/** How a run ended. */
export type RunOutcome = Extract<BatchEvent, { type: 'run-ended' }>['outcome'];

/** Everything that a run's journal says, as it stands after the last record. */
export interface RunState {
  readonly opened: OpenedRecord;
  readonly nodes: ReadonlyMap<string, NodeStanding>;
  /** Missing until all the nodes have been looked at. */
  readonly waves: readonly PlannedWave[] | undefined;
  readonly endedWaves: ReadonlySet<string>;
  readonly halt: Halt | undefined;
  readonly paused: boolean;
  readonly outcome: RunOutcome | undefined;
  readonly endedAt: string | undefined;
}

/** The same while it is being put together: one map that changes, because a copy per record would be too much. */
export interface GrowingState extends RunState {
  readonly nodes: Map<string, NodeStanding>;
  readonly endedWaves: Set<string>;
  waves: readonly PlannedWave[] | undefined;
  halt: Halt | undefined;
  paused: boolean;
  outcome: RunOutcome | undefined;
  endedAt: string | undefined;
}

/** Where everything stands after these records, the first of which opens the run. */
export function runState([opened, ...records]: readonly RunRecord[]): RunState | undefined {
  if (opened?.type !== 'opened') return undefined;
  const state = openState(opened);
  for (const record of records) advance(state, record);
  return state;
}

/** A run of which nothing but its opening is known. */
export function openState(opened: OpenedRecord): GrowingState {
  return {
    opened,
    nodes: new Map(opened.nodes.map(({ name }) => [name, newNode(name)])),
    waves: undefined,
    endedWaves: new Set(),
    halt: undefined,
    paused: false,
    outcome: undefined,
    endedAt: undefined,
  };
}

/** Takes one more record into account. */
export function advance(state: GrowingState, record: RunRecord): void {
  switch (record.type) {
    case 'run-begun':
      return begin(state);
    case 'surveyed':
      return change(state, record.node, { survey: record.survey });
    case 'planned':
      state.waves = record.waves;
      return;
    case 'tidied':
      return change(state, record.node, { tidied: true });
    case 'node':
      return change(state, record.node, standingAfter(state.nodes.get(record.node), record));
    case 'wave-ended':
      state.endedWaves.add(record.wave);
      return;
    case 'paused':
    case 'resumed':
      state.paused = record.type === 'paused';
      return;
    case 'halted':
      state.halt = { wave: record.wave, reason: record.reason, by: record.by ?? 'rule' };
      return;
    case 'run-ended':
      state.outcome = record.outcome;
      state.endedAt = record.time;
      return;
    case 'opened':
    case 'wave-begun':
    case 'wave-soaking':
    case 'node-progress':
    case 'node-log':
      return;
  }
}

/**
 * A run that goes on. Who asked for a halt has now asked for the contrary. After a halt by rule that ran its course,
 * somebody has looked at what failed: it does not halt the rest again.
 */
function begin(state: GrowingState): void {
  state.paused = false;
  if (state.outcome === undefined && state.halt?.by === 'rule') return;
  for (const node of state.nodes.values()) state.nodes.set(node.name, goingOn(node, state.outcome !== undefined));
  state.halt = undefined;
  state.outcome = undefined;
  state.endedAt = undefined;
}

function goingOn(node: NodeStanding, hadEnded: boolean): NodeStanding {
  if (node.state === 'held') return { ...newNode(node.name), survey: node.survey };
  return hadEnded ? { ...node, excused: true } : node;
}

function newNode(name: string): NodeStanding {
  return {
    name,
    state: 'waiting',
    part: undefined,
    survey: undefined,
    failure: undefined,
    commandTry: 1,
    excused: false,
    tidied: true,
  };
}

function change(state: GrowingState, name: string, standing: Partial<NodeStanding>): void {
  state.nodes.set(name, { ...(state.nodes.get(name) ?? newNode(name)), ...standing });
}

const SETTLED: ReadonlySet<BatchNodeState> = new Set([
  'unchanged',
  'done',
  'failed',
  'unreachable',
  'rolled-back',
  'held',
]);

/** Whether nothing more happens to a node in this state, unless its wave is rolled back. */
export function isSettled({ state }: NodeStanding): boolean {
  return SETTLED.has(state);
}

/** Whether its command has changed it, or may have: what a roll-back of its wave is about. */
export function isChanged({ state, part, excused }: NodeStanding): boolean {
  return (state === 'done' || state === 'failed') && (part === 'execute' || part === 'prove') && !excused;
}

const PARTS: Partial<Readonly<Record<BatchNodeState, NodePart>>> = {
  surveying: 'survey',
  delivering: 'deliver',
  executing: 'execute',
  proving: 'prove',
  'rolling-back': 'roll-back',
};

/** A command that undid itself, and whose next try a halt prevented, says nothing for or against the others. */
function isGivenUp(before: NodeStanding | undefined, state: BatchNodeState): boolean {
  return before?.state === 'retrying' && state === 'failed';
}

function standingAfter(
  before: NodeStanding | undefined,
  { state, failure }: Extract<BatchEvent, { type: 'node' }>,
): Partial<NodeStanding> {
  const part = PARTS[state] ?? before?.part;
  const afresh = waitsToBeginAfresh({ state, part, failure });
  return {
    state,
    part,
    commandTry: (before?.commandTry ?? 1) + (afresh ? 1 : 0),
    // Why a node is rolled back outlives what goes wrong on the way.
    failure: part === 'roll-back' && !SETTLED.has(state) ? before?.failure : failure,
    excused: (before?.excused ?? false) || isGivenUp(before, state),
    tidied: (before?.tidied ?? true) && (part === undefined || (part === 'survey' && state !== 'unchanged')),
  };
}
