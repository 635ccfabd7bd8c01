import type { BatchEvent } from '@fenestra/fleet';
import { expect, test } from 'vitest';
import { plainLine, plainLines } from './plain-lines.ts';

const TIME = '2026-01-01T09:30:05.123Z';
const FAILURE = { code: 'REMOTE_LOST', message: 'The connection is gone', hint: 'x' };

test.each<[BatchEvent, string | undefined]>([
  [{ type: 'run-begun', time: TIME, run: 'r1', nodes: 3, resumed: false }, '09:30:05 run r1 started, 3 nodes'],
  [{ type: 'node', time: TIME, node: 'a', state: 'done', text: 'joined' }, '09:30:05 [a] done: joined'],
  [
    { type: 'node', time: TIME, node: 'a', state: 'retrying', attempt: 2, failure: FAILURE },
    '09:30:05 [a] retrying (attempt 2): REMOTE_LOST: The connection is gone',
  ],
  [{ type: 'run-ended', time: TIME, outcome: 'all-well', counts: { done: 3 } }, '09:30:05 run finished: succeeded'],
  [{ type: 'node-log', time: TIME, node: 'a', line: 'x\u001b[31m\ry' }, '09:30:05 [a] x [31m y'],
  [{ type: 'node-progress', time: TIME, node: 'a', doneBytes: 1, totalBytes: 2 }, undefined],
])('%j is one line', (event, line) => {
  expect(plainLine(event)).toBe(line);
});

test('what a node has just said is not repeated as what it is doing', () => {
  const lineOf = plainLines();
  expect(lineOf({ type: 'node-log', time: TIME, node: 'a', line: '  done' })).toBe('09:30:05 [a]   done');
  expect(lineOf({ type: 'node', time: TIME, node: 'a', state: 'executing', text: 'done' })).toBeUndefined();
  expect(lineOf({ type: 'node', time: TIME, node: 'b', state: 'executing', text: 'done' })).toBeDefined();
  expect(lineOf({ type: 'node', time: TIME, node: 'a', state: 'done' })).toBeDefined();
});
