import type { BatchNodeState } from '@fenestra/fleet';
import { span, type Span, type Colour } from './spans.ts';

/** A grid: its lines, and how many nodes each of its characters stands for. */
export interface Grid {
  readonly lines: readonly (readonly Span[])[];
  readonly nodesPerCell: number;
}

/** Of several nodes behind one character the one shows that people want to know of first. */
const URGENCY: readonly BatchNodeState[] = [
  'failed',
  'unreachable',
  'rolled-back',
  'rolling-back',
  'retrying',
  'executing',
  'delivering',
  'proving',
  'surveying',
  'held',
  'waiting',
  'done',
  'unchanged',
];

/** One character per node, or per few nodes where there is not room enough. */
export function gridOf(states: readonly BatchNodeState[], columns: number, rows: number): Grid {
  const nodesPerCell = Math.max(1, Math.ceil(states.length / (columns * rows)));
  const cells = chunks(states, nodesPerCell).map(mostUrgent);
  return { nodesPerCell, lines: chunks(cells, columns).map(gridLine) };
}

/** Neighbours that look alike become one piece: a line of a thousand colours would be slow. */
function gridLine(cells: readonly BatchNodeState[]): readonly Span[] {
  const line: Span[] = [];
  for (const state of cells) {
    const { character, colour } = lookOf(state);
    const last = line.at(-1);
    if (last?.colour === colour) line[line.length - 1] = span(last.text + character, colour);
    else line.push(span(character, colour));
  }
  return line;
}

function mostUrgent(states: readonly BatchNodeState[]): BatchNodeState {
  return URGENCY.find((state) => states.includes(state)) ?? 'waiting';
}

function chunks<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** How a state looks in the grid: one character, so that it is distinguished without colours too. */
export interface StateLook {
  readonly character: string;
  readonly colour: Colour;
}

const LOOKS: Readonly<Record<BatchNodeState, StateLook>> = {
  waiting: { character: '.', colour: 'quiet' },
  surveying: { character: '?', colour: 'active' },
  delivering: { character: '>', colour: 'active' },
  executing: { character: '*', colour: 'active' },
  proving: { character: '~', colour: 'active' },
  retrying: { character: 'r', colour: 'warning' },
  'rolling-back': { character: '<', colour: 'warning' },
  unchanged: { character: '=', colour: 'well' },
  done: { character: '#', colour: 'well' },
  failed: { character: 'X', colour: 'wrong' },
  unreachable: { character: '!', colour: 'warning' },
  'rolled-back': { character: 'R', colour: 'wrong' },
  held: { character: '-', colour: 'quiet' },
};

/** How this state looks. */
export function lookOf(state: BatchNodeState): StateLook {
  return LOOKS[state];
}
