import { expect, test } from 'vitest';
import type { BatchEvent, BatchNodeState } from './events.ts';
import { accountOf } from './run-account.ts';
import { nextStep } from './summary-text.ts';

const TIME = { time: '2026-01-01T00:00:00.000Z' };

type Outcome = Extract<BatchEvent, { type: 'run-ended' }>['outcome'];
type By = NonNullable<Extract<BatchEvent, { type: 'halted' }>['by']>;

interface End {
  readonly states: readonly BatchNodeState[];
  readonly outcome?: Outcome;
  readonly by?: By;
  readonly paused?: boolean;
}

function eventsOf({ states, outcome, by, paused = false }: End): readonly BatchEvent[] {
  return [
    { type: 'run-begun', ...TIME, run: 'r1', nodes: states.length, resumed: false },
    ...states.map((state, index) => ({ type: 'node', ...TIME, node: `n${index}`, state }) as const),
    ...(by === undefined ? [] : [{ type: 'halted', ...TIME, wave: 'all', reason: 'x', by } as const]),
    ...(paused ? [{ type: 'paused', ...TIME } as const] : []),
    ...(outcome === undefined ? [] : [{ type: 'run-ended', ...TIME, outcome, counts: {} } as const]),
  ];
}

const RETRY = '"keadm batch retry r1" repeats all that is not up to date, in a new run';
const RESUME = '"keadm batch resume r1" continues with the held nodes';

test.each<[string, End, string]>([
  ['all well', { states: ['done'], outcome: 'all-well' }, ''],
  [
    'some failed',
    { states: ['done', 'failed'], outcome: 'some-failed' },
    'Next: fix what failed, then "keadm batch retry r1" repeats it in a new run.',
  ],
  [
    'halted and held',
    { states: ['failed', 'held'], outcome: 'halted', by: 'rule' },
    `Next: fix what failed, then ${RETRY}; or ${RESUME} and skips those that failed.`,
  ],
  [
    'halted in the last wave',
    { states: ['done', 'failed'], outcome: 'halted', by: 'rule' },
    `Next: fix what failed, then ${RETRY}.`,
  ],
  [
    'halted and rolled back',
    { states: ['rolled-back', 'held'], outcome: 'halted', by: 'rule' },
    `Next: fix what failed, then ${RETRY}.`,
  ],
  ['held', { states: ['done', 'held'], outcome: 'halted', by: 'hold' }, `Next: ${RESUME}.`],
  [
    'held after a failure',
    { states: ['failed', 'held'], outcome: 'halted', by: 'hold' },
    `Next: ${RESUME}; or ${RETRY}.`,
  ],
  ['aborted', { states: ['rolled-back', 'held'], outcome: 'aborted', by: 'abort' }, `Next: ${RESUME}; or ${RETRY}.`],
  ['aborted at the end', { states: ['rolled-back'], outcome: 'aborted', by: 'abort' }, `Next: ${RETRY}.`],
  ['paused', { states: ['done', 'waiting'], paused: true }, 'Next: "keadm batch continue r1" ends the pause.'],
  ['cut off', { states: ['executing'] }, 'Next: "keadm batch resume r1" continues each node where it was.'],
])('what to do next about a run that is %s', (_name, end, words) => {
  expect(nextStep(accountOf(eventsOf(end)), 'r1')).toBe(words);
});

test('the run is named as the commands find it', () => {
  const account = accountOf(eventsOf({ states: ['failed'], outcome: 'some-failed' }));
  expect(nextStep(account, 'r1 --runs /runs')).toContain('"keadm batch retry r1 --runs /runs"');
});
