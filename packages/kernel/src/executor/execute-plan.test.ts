import * as z from 'zod/mini';
import { expect, test } from 'vitest';
import { OperatorError } from '../errors.ts';
import type { JournalRecord, NewRecord } from '../journal/record.ts';
import { stepDefiner } from '../plan/step-handler.ts';
import type { Plan, Step } from '../plan/step.ts';
import { executePlan } from './recover.ts';
import type { ExecutionEvent, ExecutionOutcome } from './drive.ts';

type Deeds = string[];

const Deed = z.object({
  name: z.string(),
  fails: z.exactOptional(z.enum(['apply', 'revert'])),
  pointOfNoReturn: z.exactOptional(z.literal(true)),
});

const { handler: deed } = stepDefiner<Deeds>()({
  kind: 'deed',
  data: Deed,
  describe: ({ name }) => name,
  async apply({ name, fails }, _before, { ports, progress }, signal) {
    progress(1, 1);
    ports.push(`apply ${name}`);
    if (signal.aborted) throw signal.reason;
    if (fails !== undefined) throw new OperatorError('DISK_FULL', `Cannot do "${name}"`, { hint: 'Free some space.' });
  },
  async revert({ name, fails }, _before, { ports }) {
    ports.push(`revert ${name}`);
    if (fails === 'revert') throw new Error('no rollback');
  },
});

interface Watched {
  readonly deeds: Deeds;
  readonly records: JournalRecord[];
  readonly events: ExecutionEvent[];
}

interface Wishes {
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: ExecutionEvent) => void;
  readonly journalFullAfter?: number;
}

async function run(steps: readonly Step[], watched: Watched, wishes: Wishes = {}): Promise<ExecutionOutcome> {
  const plan: Plan = [{ id: 'p', title: 'P', steps }];
  const owner = { pid: 1, startedAt: '', bootId: '' };
  async function append(record: NewRecord): Promise<JournalRecord> {
    if (watched.records.length >= (wishes.journalFullAfter ?? Infinity)) throw new Error('journal full');
    const written = { ...record, at: '' };
    watched.records.push(written);
    return written;
  }
  function onEvent(event: ExecutionEvent): void {
    watched.events.push(event);
    wishes.onEvent?.(event);
  }
  const execution = { journal: { path: '/the.journal', append }, handlers: [deed], ports: watched.deeds, onEvent };
  const signal = wishes.signal ?? new AbortController().signal;
  return executePlan({ command: 'test', programVersion: '0', owner, plan }, execution, signal);
}

const watch = (): Watched => ({ deeds: [], records: [], events: [] });
const step = (name: string, rest: Partial<Step> = {}): Step => ({ ...rest, kind: 'deed', name });
const types = (records: readonly { type: string }[]): readonly string[] => records.map(({ type }) => type);

test('a plan without failures applies every step in order and says so', async () => {
  const watched = watch();
  expect(await run([step('a'), step('b')], watched)).toEqual({ outcome: 'applied' });
  expect(watched.deeds).toEqual(['apply a', 'apply b']);
  expect(types(watched.events.filter(({ type }) => type !== 'step-progress'))).toEqual(types(watched.records));
});

test('a failing step turns the plan back, the failed step included', async () => {
  const watched = watch();
  const result = await run([step('a'), step('b', { fails: 'apply' }), step('c')], watched);
  expect(result).toMatchObject({ outcome: 'reverted', failure: { code: 'DISK_FULL' }, failedStep: { index: 1 } });
  expect(watched.deeds).toEqual(['apply a', 'apply b', 'revert b', 'revert a']);
});

test('a failure past the point of no return stops the plan for recovery to finish, and reverts nothing', async () => {
  const watched = watch();
  const steps = [step('a', { pointOfNoReturn: true }), step('b', { fails: 'apply' })];
  await expect(run(steps, watched)).rejects.toMatchObject({ code: 'FINISH_INCOMPLETE' });
  expect(watched.deeds).toEqual(['apply a', 'apply b']);
  expect(watched.records.at(-1)).toMatchObject({ type: 'stuck', index: 1 });
});

test('a revert that fails leaves the rest for recovery instead of skipping over it', async () => {
  const watched = watch();
  await expect(run([step('a'), step('b', { fails: 'revert' })], watched)).rejects.toMatchObject({
    code: 'REVERT_INCOMPLETE',
    hint: expect.stringContaining('keadm journal set-aside --force /the.journal'),
  });
  expect(watched.deeds).toEqual(['apply a', 'apply b', 'revert b']);
});

test('an abort before the point of no return reverts', async () => {
  const watched = watch();
  const controller = new AbortController();
  const onEvent = ({ type }: ExecutionEvent): void => {
    if (type === 'step-done') controller.abort();
  };
  const result = await run([step('a'), step('b')], watched, { signal: controller.signal, onEvent });
  expect(result).toMatchObject({ outcome: 'reverted', failure: { code: 'INTERRUPTED' } });
  expect(watched.deeds).toEqual(['apply a', 'revert a']);
});

test('an abort past the point of no return does not stop the work', async () => {
  const watched = watch();
  const controller = new AbortController();
  const onEvent = ({ type }: ExecutionEvent): void => {
    if (type === 'step-begun') controller.abort();
  };
  const steps = [step('a', { pointOfNoReturn: true }), step('b')];
  expect(await run(steps, watched, { signal: controller.signal, onEvent })).toEqual({ outcome: 'applied' });
});

test('a journal that cannot be written any more does not stop a revert', async () => {
  const watched = watch();
  const result = await run([step('a'), step('b')], watched, { journalFullAfter: 4 });
  expect(result).toMatchObject({ outcome: 'reverted' });
  expect(watched.deeds).toEqual(['apply a', 'apply b', 'revert b', 'revert a']);
});

test('a step of an unknown kind reverts what came before it', async () => {
  const watched = watch();
  const result = await run([step('a'), { kind: 'unheard-of' }], watched);
  expect(result).toMatchObject({ outcome: 'reverted', failure: { code: 'NOT_SUPPORTED' } });
  expect(watched.deeds).toEqual(['apply a', 'revert a']);
});
