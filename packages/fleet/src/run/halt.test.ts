import { expect, test } from 'vitest';
import { brokenRule } from './halt.ts';
import type { NodeStanding } from './run-state.ts';

/** A wave with so many nodes, of which the first have failed. */
function waveOf(size: number, failed: number) {
  const standings = Array.from({ length: size }, (_, index): [string, NodeStanding] => {
    const state = index < failed ? 'failed' : 'done';
    const name = `edge-${index}`;
    const nothing = { survey: undefined, failure: undefined, commandTry: 1, excused: false, tidied: true };
    return [name, { name, state, part: 'execute', ...nothing }];
  });
  const nodes = new Map(standings);
  return [{ name: 'all', nodes: [...nodes.keys()], soakSeconds: 0 }, nodes] as const;
}

test.each([
  [5, 2, false],
  [5, 3, true],
  [30, 6, false],
  [30, 7, true],
])('of %i nodes, %i failures halt by a fifth that leaves two alone: %s', (size, failed, halts) => {
  const rule = { failedPercent: 20, harmlessNodes: 2, failedNodes: 1000 };
  expect(brokenRule(rule, ...waveOf(size, failed)) !== undefined).toBe(halts);
});
