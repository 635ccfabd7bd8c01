import type { BatchEvent, BatchNodeState } from '@fenestra/fleet';
import { expect, test } from 'vitest';
import { renderPicture } from './picture.ts';
import { growingView, viewOf } from './view-state.ts';

const BEGUN = Date.UTC(2026, 0, 1);

function at(seconds: number): { time: string } {
  return { time: new Date(BEGUN + seconds * 1000).toISOString() };
}

function draw(events: readonly BatchEvent[], columns: number, rows: number, seconds: number): readonly string[] {
  return renderPicture(viewOf(events), { columns, rows, colours: false, now: new Date(BEGUN + seconds * 1000) });
}

const SMALL: readonly BatchEvent[] = [
  { type: 'run-begun', ...at(0), run: 'r1', nodes: 4, resumed: false, waves: ['canary', 'rest'] },
  { type: 'wave-begun', ...at(0), wave: 'canary', nodes: ['shop-1'] },
  { type: 'node', ...at(5), node: 'shop-1', state: 'executing' },
  { type: 'node', ...at(30), node: 'shop-1', state: 'done', text: 'joined' },
  { type: 'wave-ended', ...at(30), wave: 'canary' },
  { type: 'wave-begun', ...at(30), wave: 'rest', nodes: ['shop-2', 'shop-3', 'shop-4'] },
  { type: 'node', ...at(30), node: 'shop-2', state: 'delivering' },
  { type: 'node-progress', ...at(31), node: 'shop-2', doneBytes: 30_000_000, totalBytes: 60_000_000 },
  { type: 'node', ...at(35), node: 'shop-3', state: 'executing', text: 'keadm join', attempt: 2 },
  { type: 'node', ...at(36), node: 'shop-4', state: 'delivering' },
  {
    type: 'node',
    ...at(40),
    node: 'shop-4',
    state: 'failed',
    failure: { code: 'REMOTE_AUTH', message: 'Cannot log in\u001b[2J to "shop-4"', hint: 'x' },
  },
];

test('a few nodes have a line each', () => {
  expect(draw(SMALL, 70, 23, 40)).toEqual([
    'r1  wave 2 of 2 "rest"  40 s',
    '[###########################............................] 2 of 4  50 %',
    'done 1  failed 1  executing 1  delivering 1',
    '6.0 nodes/min  3.0 MB/s  about 20 s left',
    '# shop-1                  done         joined',
    '> shop-2                  delivering   [#####.....] 50 % of 60.0 MB',
    '* shop-3                  executing    attempt 2, 5 s  keadm join',
    'X shop-4                  failed       REMOTE_AUTH: Cannot log in [2J…',
    'X shop-4 REMOTE_AUTH: Cannot log in [2J to "shop-4"',
  ]);
});

test('before the first wave the nodes are looked at', () => {
  const events: readonly BatchEvent[] = [
    { type: 'run-begun', ...at(0), run: 'r1', nodes: 2, resumed: false },
    { type: 'node', ...at(0), node: 'a', state: 'surveying' },
  ];
  expect(draw(events, 40, 10, 3)).toEqual([
    'r1  looks at the nodes  3 s',
    '[..........................] 0 of 2  0 %',
    'surveying 1  waiting 1',
    '',
    '? a             surveying    3 s',
  ]);
});

test('a wave that no node goes with is not counted', () => {
  const growing = growingView();
  growing.add({ type: 'run-begun', ...at(0), run: 'r1', nodes: 2, resumed: false, waves: ['a', 'b', 'c', 'd'] });
  growing.plan(['b', 'd']);
  growing.add({ type: 'wave-begun', ...at(1), wave: 'b', nodes: ['shop-1'] });
  const canvas = { columns: 70, rows: 20, colours: false, now: new Date(BEGUN + 2000) };
  expect(renderPicture(growing.view, canvas)[0]).toBe('r1  wave 1 of 2 "b"  2 s');
  growing.add({ type: 'wave-begun', ...at(2), wave: 'd', nodes: ['shop-2'] });
  expect(renderPicture(growing.view, canvas)[0]).toBe('r1  wave 2 of 2 "d"  2 s');
});

test('while a wave soaks no one guesses how long the others take', () => {
  const soaking: readonly BatchEvent[] = [
    ...SMALL.slice(0, 4),
    { type: 'wave-soaking', ...at(30), wave: 'canary', seconds: 60 },
  ];
  expect(draw(soaking, 60, 10, 40).slice(0, 4)).toEqual([
    'r1  wave 1 of 2 "canary", soaks for 50 s  40 s',
    '[###########..................................] 1 of 4  25 %',
    'done 1  waiting 3',
    '1.5 nodes/min',
  ]);
});

const MANY_STATES: readonly BatchNodeState[] = ['done', 'failed', 'executing', 'waiting'];

function manyNodes(count: number): readonly BatchEvent[] {
  const names = Array.from({ length: count }, (_, index) => `edge-${index}`);
  const failure = { code: 'REMOTE_TIMEOUT', message: 'No answer within 30 s', hint: 'x' };
  return [
    { type: 'run-begun', ...at(0), run: 'r1', nodes: count, resumed: false },
    { type: 'wave-begun', ...at(0), wave: 'all', nodes: names },
    ...names.map((node, index): BatchEvent => {
      const state = MANY_STATES[Math.floor((index / count) * MANY_STATES.length)] ?? 'waiting';
      return { type: 'node', ...at(index / 100), node, state, ...(state === 'failed' ? { failure } : {}) };
    }),
  ];
}

test('a thousand nodes are a grid that fits 80 × 24, with some of those at work and the last failures', () => {
  const lines = draw(manyNodes(1000), 80, 23, 20);
  expect(lines.length).toBeLessThanOrEqual(23);
  expect(lines.every((line) => line.length <= 80)).toBe(true);
  expect(lines.slice(1, 5)).toEqual([
    `[${'#'.repeat(30)}${'.'.repeat(30)}] 500 of 1000  50 %`,
    'done 250  failed 250  executing 250  waiting 250',
    '',
    '#'.repeat(80),
  ]);
  const grid = lines.slice(4, 17).join('');
  expect([...grid.matchAll(/(.)\1*/g)].map(([run]) => [run[0], run.length])).toEqual([
    ['#', 250],
    ['X', 250],
    ['*', 250],
    ['.', 250],
  ]);
  expect(lines.slice(17)).toEqual([
    '* edge-500                 executing    15 s',
    'and 249 more at work',
    'X edge-496 REMOTE_TIMEOUT: No answer within 30 s',
    'X edge-497 REMOTE_TIMEOUT: No answer within 30 s',
    'X edge-498 REMOTE_TIMEOUT: No answer within 30 s',
    'X edge-499 REMOTE_TIMEOUT: No answer within 30 s',
  ]);
});

test('where there are more nodes than characters, one stands for several, and failures are never hidden', () => {
  const lines = draw(manyNodes(10_000), 80, 23, 120);
  expect(lines.length).toBeLessThanOrEqual(23);
  expect(lines).toContain('one character for 11 nodes');
  expect(lines.slice(4, 16).join('').match(/X/g)?.length).toBeGreaterThan(200);
});

test.each([
  [20, 5],
  [80, 4],
  [1, 1],
])('a terminal of %i × %i gets no more than fits', (columns, rows) => {
  expect(draw(manyNodes(1000), columns, rows, 20).length).toBeLessThanOrEqual(rows);
});

test('a pause and a halt are shown at the top', () => {
  expect(draw([...SMALL, { type: 'paused', ...at(41) }], 70, 20, 41)[0]).toContain('PAUSED');
});

test('colours are only around what is shown', () => {
  const [line = ''] = renderPicture(viewOf(SMALL), { columns: 70, rows: 9, colours: true, now: new Date(BEGUN) });
  expect(line.startsWith('\u001b[1mr1\u001b[0m')).toBe(true);
});
