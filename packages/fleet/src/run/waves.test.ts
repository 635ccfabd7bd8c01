import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Wave } from './policy.ts';
import type { NodeStanding } from './run-state.ts';
import { brokenRule, planWaves } from './waves.ts';

const nodes = (count: number): { name: string; labels: Record<string, string> }[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `n${index}`,
    labels: { zone: index % 2 === 0 ? 'north' : 'south' },
  }));

const wave = (name: string, size: Wave['size'], labels: Wave['labels'] = {}): Wave => ({
  name,
  size,
  labels,
  soakSeconds: 0,
});

const sizes = (count: number, ...waves: readonly Wave[]): readonly (readonly [string, number])[] =>
  planWaves(nodes(count), waves).map((planned) => [planned.name, planned.nodes.length]);

test('shares are of all the nodes, rounded up, and the last wave takes what is left', () => {
  const waves = [wave('canary', { nodes: 1 }), wave('tenth', { percent: 10 }), wave('rest', { percent: 50 })];
  expect(sizes(30, ...waves)).toEqual([
    ['canary', 1],
    ['tenth', 3],
    ['rest', 26],
  ]);
  expect(sizes(2, ...waves)).toEqual([
    ['canary', 1],
    ['tenth', 1],
  ]);
});

test('a wave with labels takes a share of the nodes that have them, in the order of the file', () => {
  const [north] = planWaves(nodes(8), [wave('north', { percent: 50 }, { zone: 'north' }), wave('rest', { nodes: 1 })]);
  expect(north?.nodes).toEqual(['n0', 'n2']);
});

test('nothing to change makes no waves', () => {
  expect(sizes(0, wave('all', { percent: 100 }))).toEqual([]);
});

test('every node is in exactly one wave', () => {
  const size = fc.oneof(
    fc.record({ nodes: fc.integer({ min: 1, max: 20 }) }),
    fc.record({ percent: fc.integer({ min: 1, max: 100 }) }),
  );
  const waves = fc.array(
    fc
      .tuple(size, fc.constantFrom({}, { zone: 'north' }, { zone: 'none' }))
      .map(([each, labels]) => wave('w', each, labels)),
    { minLength: 1, maxLength: 5 },
  );
  fc.assert(
    fc.property(fc.nat({ max: 50 }), waves, (count, all) => {
      const planned = planWaves(nodes(count), all).flatMap((each) => each.nodes);
      expect(planned.toSorted()).toEqual(
        nodes(count)
          .map(({ name }) => name)
          .toSorted(),
      );
    }),
  );
});

/** A wave with so many nodes, of which the first have failed. */
function waveOf(size: number, failed: number) {
  const standings = Array.from({ length: size }, (_, index): [string, NodeStanding] => {
    const state = index < failed ? 'failed' : 'done';
    const name = `edge-${index}`;
    const nothing = { survey: undefined, failure: undefined, commandTry: 1, excused: false, tidied: true };
    return [name, { name, state, part: 'execute', ...nothing }];
  });
  const all = new Map(standings);
  return [{ name: 'all', nodes: [...all.keys()], soakSeconds: 0 }, all] as const;
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
