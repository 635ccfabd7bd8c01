import { OperatorError } from '../errors.ts';
import type { JournalFile } from '../journal/journal-file.ts';
import { advance, canTurnBack, hasActed, type PlanProgress } from '../journal/progress.ts';
import type { BegunRecord, JournalRecord, NewRecord } from '../journal/record.ts';
import { handlerOf, type StepContext, type StepHandler } from '../plan/step-handler.ts';
import type { PlacedStep } from '../plan/step.ts';

/** Nothing aborts a revert, or work past the point of no return: stopping there is what leaves a node half-way. */
const UNSTOPPABLE = new AbortController().signal;

/**
 * Takes a plan from wherever it stands to an end: on to the last step, or, when a step fails and the plan
 * may still turn back, back to the first. Every transition is on disk before it is acted on.
 */
export async function drive<Ports>(
  start: PlanProgress,
  execution: Execution<Ports>,
  signal: AbortSignal,
): Promise<ExecutionOutcome> {
  let plan = start;

  async function record(entry: NewRecord): Promise<void> {
    const written = await execution.journal.append(entry);
    plan = advance(plan, written);
    tell(written);
  }

  /** Anyone who watches must not be able to change what happens. */
  function tell(event: ExecutionEvent): void {
    try {
      execution.onEvent(event);
    } catch {
      // There is no one to tell that the teller failed.
    }
  }

  async function forward(): Promise<ExecutionOutcome> {
    for (const placed of plan.steps) {
      if (plan.progress[placed.index]?.state === 'done') continue;
      try {
        await applyStep(placed);
      } catch (failure) {
        if (!canTurnBack(plan)) throw await stuck(placed, failure, 'FINISH_INCOMPLETE');
        await tryRecord({ type: 'turned-back', failure: describeFailure(failure) });
        await backward();
        return { outcome: 'reverted', failure, failedStep: placed };
      }
    }
    // Where it cannot be written, the next recovery finds every step done and writes it.
    await tryRecord({ type: 'ended', outcome: 'applied' });
    return { outcome: 'applied' };
  }

  async function applyStep({ index, step }: PlacedStep): Promise<void> {
    const stop = canTurnBack(plan) ? signal : UNSTOPPABLE;
    throwIfAborted(stop);
    const handler = handlerOf(execution.handlers, step);
    const context = contextOf(index);
    const begun = plan.progress[index];
    const before = hasActed(begun) ? begun.before : await handler.prepare(step, context, stop);
    if (!hasActed(begun)) await recordProgress({ type: 'step-begun', index, before });
    await handler.apply(step, before, context, step.pointOfNoReturn === true ? UNSTOPPABLE : stop);
    await recordProgress({ type: 'step-done', index });
  }

  /** Past the point of no return a full disk does not stop the work: recovery would only do the same steps again. */
  async function recordProgress(entry: NewRecord): Promise<void> {
    if (canTurnBack(plan)) await record(entry);
    else await tryRecord(entry);
  }

  /** A journal that cannot be written (a full disk) does not stop a revert: recovery would only revert again. */
  async function backward(): Promise<void> {
    for (const placed of plan.steps.toReversed()) {
      const step = plan.progress[placed.index];
      if (!hasActed(step)) continue;
      try {
        const handler = handlerOf(execution.handlers, placed.step);
        await handler.revert(placed.step, step.before, contextOf(placed.index), UNSTOPPABLE);
      } catch (failure) {
        throw await stuck(placed, failure, 'REVERT_INCOMPLETE');
      }
      await tryRecord({ type: 'step-reverted', index: placed.index });
    }
    await tryRecord({ type: 'ended', outcome: 'reverted' });
  }

  async function stuck(
    { index, step }: PlacedStep,
    cause: unknown,
    code: 'REVERT_INCOMPLETE' | 'FINISH_INCOMPLETE',
  ): Promise<OperatorError> {
    await tryRecord({ type: 'stuck', index, failure: describeFailure(cause) });
    const verb = code === 'REVERT_INCOMPLETE' ? 'undo' : 'finish';
    const reason = cause instanceof Error ? `: ${cause.message}` : '';
    return new OperatorError(code, `Cannot ${verb} step ${index + 1} ("${step.kind}")${reason}`, {
      hint: `Remove the cause, then run "keadm recover": it continues from here. If that is impossible, "keadm journal set-aside --force ${execution.journal.path}" abandons the operation and leaves the node as it is.`,
      cause,
      details: { step: index + 1, kind: step.kind },
    });
  }

  async function tryRecord(entry: NewRecord): Promise<void> {
    await record(entry).catch(() => undefined);
  }

  function contextOf(index: number): StepContext<Ports> {
    return {
      ports: execution.ports,
      progress: (done, total) => tell({ type: 'step-progress', index, done, total }),
      say: (text, { lasting = false } = {}) => tell({ type: 'step-note', index, text, lasting }),
    };
  }

  /** Only after a crash: nothing else can have changed what a step of a living plan has done. */
  async function upholdSteps(): Promise<void> {
    for (const placed of plan.steps.filter(({ index }) => hasActed(plan.progress[index]))) {
      try {
        await handlerOf(execution.handlers, placed.step).uphold?.(placed.step, contextOf(placed.index), UNSTOPPABLE);
      } catch (failure) {
        throw await stuck(placed, failure, 'REVERT_INCOMPLETE');
      }
    }
  }

  if (plan.direction === 'forward') return forward();
  await upholdSteps();
  await backward();
  return { outcome: 'reverted', failure: undefined, failedStep: undefined };
}

function throwIfAborted(signal: AbortSignal): void {
  if (!signal.aborted) return;
  throw new OperatorError('INTERRUPTED', 'Interrupted before the operation finished', {
    hint: 'Run the command again when you are ready; nothing was changed.',
    cause: signal.reason,
  });
}

function describeFailure(failure: unknown): { code: string; message: string } {
  if (failure instanceof OperatorError) return { code: failure.code, message: failure.message };
  const message = failure instanceof Error ? failure.message : String(failure);
  return { code: 'unknown', message };
}

/** How far the step that runs right now has come. Shown to people, never journaled. */
interface StepProgressEvent {
  readonly type: 'step-progress';
  readonly index: number;
  readonly done: number;
  readonly total: number;
}

/** What the step that runs right now waits for, or found out. Shown to people, never journaled. */
interface StepNoteEvent {
  readonly type: 'step-note';
  readonly index: number;
  readonly text: string;
  /** Whether it is still worth knowing when the command has ended. */
  readonly lasting: boolean;
}

/** Whose work is about to be brought to an end. Shown to people, never journaled: the journal begins with it. */
interface RunFoundEvent {
  readonly type: 'run-found';
  readonly begun: BegunRecord;
}

/** A damaged journal, of a run that had ended before, was renamed. Shown to people, never journaled. */
interface JournalSetAsideEvent {
  readonly type: 'journal-set-aside';
  /** Where it is now. */
  readonly path: string;
  readonly damage: string;
}

/** What an observer of a run sees: every journal record once it is on disk, and what a step says in between. */
export type ExecutionEvent = JournalRecord | RunFoundEvent | JournalSetAsideEvent | StepProgressEvent | StepNoteEvent;

/** Everything a run needs besides its plan. */
export interface Execution<Ports> {
  readonly journal: Pick<JournalFile, 'append' | 'path'>;
  readonly handlers: readonly StepHandler<Ports>[];
  readonly ports: Ports;
  readonly onEvent: (event: ExecutionEvent) => void;
}

/** How a run ended. In both cases the machine is in a state that someone planned. */
export type ExecutionOutcome =
  | { readonly outcome: 'applied' }
  | { readonly outcome: 'reverted'; readonly failure: unknown; readonly failedStep: PlacedStep | undefined };
