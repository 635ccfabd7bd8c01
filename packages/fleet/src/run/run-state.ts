import type { BatchEvent, BatchFailure, BatchNodeState } from '../report/events.ts';
import { isSettled as isFinal } from '../report/node-states.ts';
import { NODE_PARTS, type NodePart, type NodeSurvey, PART_STATES } from './node-worker.ts';
import type { OpenedRecord, PlannedWave, RunRecord } from './record.ts';
import { waitsToStartOver } from './retry.ts';

/** Where one node stands. */
export interface NodeStanding {
  readonly name: string;
  readonly state: BatchNodeState;
  /** The part of the work that was started last, at which an interrupted node continues. */
  readonly part: NodePart | undefined;
  readonly survey: NodeSurvey | undefined;
  readonly failure: BatchFailure | undefined;
  /** The number of the latest try at the command, started or about to start. Each try is a separate job on the node. */
  readonly commandTry: number;
  /** Whether halt rules ignore the failure: an ended run was resumed, or only a halt prevented the next try. */
  readonly excused: boolean;
  /** Whether nothing is left to tidy. A node that needs no change may still hold files of an earlier process. */
  readonly tidied: boolean;
}

/** Why nothing new begins. */
export interface Halt {
  readonly wave: string;
  readonly reason: string;
  /** A rule of the batch file, or a request: `hold` finishes work in flight, `abort` undoes it. */
  readonly by: 'rule' | 'hold' | 'abort';
}

/** How a run ended. */
export type RunOutcome = Extract<BatchEvent, { type: 'run-ended' }>['outcome'];

/** The state of a run after the last record of its journal. */
export interface RunState {
  readonly opened: OpenedRecord;
  readonly nodes: ReadonlyMap<string, NodeStanding>;
  /** `undefined` until all nodes have been surveyed. */
  readonly waves: readonly PlannedWave[] | undefined;
  readonly endedWaves: ReadonlySet<string>;
  readonly halt: Halt | undefined;
  readonly paused: boolean;
  readonly outcome: RunOutcome | undefined;
  readonly endedAt: string | undefined;
}

/** The same while records are applied. Mutable, because a copy per record would be too slow. */
export interface GrowingState extends RunState {
  readonly nodes: Map<string, NodeStanding>;
  readonly endedWaves: Set<string>;
  waves: readonly PlannedWave[] | undefined;
  halt: Halt | undefined;
  paused: boolean;
  outcome: RunOutcome | undefined;
  endedAt: string | undefined;
}

/** The state after these records, the first of which opens the run. */
export function runState([opened, ...records]: readonly RunRecord[]): RunState | undefined {
  if (opened?.type !== 'opened') return undefined;
  const state = openState(opened);
  for (const record of records) advance(state, record);
  return state;
}

/** The state right after the opening record. */
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

/** Applies one record. */
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
 * A run that starts or resumes. Resuming cancels a requested halt. After a completed halt by rule, resuming means that the
 * failures were looked at: they do not halt the rest again.
 */
function begin(state: GrowingState): void {
  state.paused = false;
  if (state.outcome === undefined && state.halt?.by === 'rule') return;
  for (const node of state.nodes.values()) state.nodes.set(node.name, resumed(node, state.outcome !== undefined));
  state.halt = undefined;
  state.outcome = undefined;
  state.endedAt = undefined;
}

function resumed(node: NodeStanding, hadEnded: boolean): NodeStanding {
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

/** Whether a node in this state is finished, unless its wave is rolled back. */
export function isSettled({ state }: NodeStanding): boolean {
  return isFinal(state);
}

/** Whether its command has changed it, or may have: the nodes that a rollback of the wave covers. */
export function isChanged({ state, part, excused }: NodeStanding): boolean {
  return (state === 'done' || state === 'failed') && (part === 'execute' || part === 'prove') && !excused;
}

const PARTS: ReadonlyMap<BatchNodeState, NodePart> = new Map(NODE_PARTS.map((part) => [PART_STATES[part], part]));

/** A command that undid itself and whose next try a halt prevented is not evidence about other nodes. */
function isGivenUp(before: NodeStanding | undefined, state: BatchNodeState): boolean {
  return before?.state === 'retrying' && state === 'failed';
}

function standingAfter(
  before: NodeStanding | undefined,
  { state, failure }: Extract<BatchEvent, { type: 'node' }>,
): Partial<NodeStanding> {
  const part = PARTS.get(state) ?? before?.part;
  const startsOver = waitsToStartOver({ state, part, failure });
  return {
    state,
    part,
    commandTry: (before?.commandTry ?? 1) + (startsOver ? 1 : 0),
    // The reason for a rollback is kept when attempts at the rollback fail.
    failure: part === 'roll-back' && !isFinal(state) ? before?.failure : failure,
    excused: (before?.excused ?? false) || isGivenUp(before, state),
    tidied: (before?.tidied ?? true) && (part === undefined || (part === 'survey' && state !== 'unchanged')),
  };
}
