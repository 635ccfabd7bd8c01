import type { BatchEvent } from '@fenestra/contracts';
import { expect, test } from 'vitest';
import { plainLine } from './plain-lines.ts';

const TIME = '2026-01-01T09:30:05.123Z';
const FAILURE = { code: 'REMOTE_LOST', message: 'The connection is gone', hint: 'x' };

test.each<[BatchEvent, string | undefined]>([
  [{ type: 'run-begun', time: TIME, run: 'r1', nodes: 3, resumed: false }, '09:30:05 run r1 begins, 3 nodes'],
  [{ type: 'node', time: TIME, node: 'a', state: 'done', text: 'joined' }, '09:30:05 [a] done: joined'],
  [
    { type: 'node', time: TIME, node: 'a', state: 'retrying', attempt: 2, failure: FAILURE },
    '09:30:05 [a] retrying (attempt 2): REMOTE_LOST: The connection is gone',
  ],
  [{ type: 'node-log', time: TIME, node: 'a', line: 'x\u001b[31m\ry' }, '09:30:05 [a] x [31m y'],
  [{ type: 'node-progress', time: TIME, node: 'a', doneBytes: 1, totalBytes: 2 }, undefined],
])('%j is one line', (event, line) => {
  expect(plainLine(event)).toBe(line);
});
