import type { JournalContent, JournalRecord, PlanProgress, Step } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { unfinishedRun, unfinishedText } from './recover.command.ts';

const stop: Step = { kind: 'stop-service', name: 'edgecore' };
const remove: Step = { kind: 'remove-service', name: 'edgecore', pointOfNoReturn: true };

function journal(progress: PlanProgress['progress'], last: JournalRecord | undefined): JournalContent {
  const phase = { id: 'p', title: 'P', steps: [stop, remove] };
  const owner = { pid: 1, startedAt: 's', bootId: 'b' };
  const begun = { type: 'begun', at: 't', command: 'keadm reset', programVersion: '1', owner, plan: [phase] } as const;
  const steps = phase.steps.map((step, index) => ({ index, phase, step }));
  const plan: PlanProgress = { begun, steps, progress, direction: 'forward', outcome: undefined };
  return { path: '/j', records: last === undefined ? [begun] : [begun, last], validBytes: 0, torn: false, plan };
}

test('a run that may still turn back is undone, one past the point of no return is finished', () => {
  const pending = { state: 'pending' } as const;
  const done = { state: 'done', before: null } as const;
  const cut = unfinishedRun(journal([done, pending], undefined));
  expect(cut).toMatchObject({ direction: 'undo', stuck: undefined });
  expect(cut === undefined ? '' : unfinishedText(cut)).toBe('Would undo the interrupted operation "keadm reset"');
  expect(unfinishedRun(journal([done, { state: 'begun', before: null }], undefined))).toMatchObject({
    direction: 'finish',
  });
});

test('a run that is stuck says at which step, why, and what to do', () => {
  const failure = { code: 'ACCESS_DENIED', message: 'Cannot delete it' };
  const run = unfinishedRun(
    journal(
      [
        { state: 'done', before: null },
        { state: 'begun', before: null },
      ],
      { type: 'stuck', at: 't', index: 1, failure },
    ),
  );
  expect(run === undefined ? '' : unfinishedText(run)).toBe(
    [
      '"keadm reset" is stuck: recovery cannot finish step 2',
      '  step    Remove the service "edgecore"',
      '  why     Cannot delete it (ACCESS_DENIED)',
      '  journal /j',
      '  to do   remove the cause, then run "keadm recover" again: it continues from here',
      '  or      abandon it and leave the node partly changed: keadm journal set-aside --force /j',
    ].join('\n'),
  );
});
