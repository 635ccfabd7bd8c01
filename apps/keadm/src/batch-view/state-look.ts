import type { BatchNodeState } from '@fenestra/fleet';
import type { Colour } from './spans.ts';

/** How a state looks in the grid: one character, so that it is told apart without colours too. */
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
