import type { JournalContent, JournalRecord, PlanProgress } from '@fenestra/kernel';
import { canTurnBack, handlerOf } from '@fenestra/kernel';
import { STEP_HANDLERS } from '@fenestra/steps';

/** A run that was left unfinished, and what recovery does or did about it. */
export interface Unfinished {
  readonly journal: string;
  readonly command: string;
  /** What recovery does: a run that cannot turn back any more is finished. */
  readonly direction: 'finish' | 'undo';
  /** The step at which the last try ended. */
  readonly stuck:
    | { readonly step: number; readonly description: string; readonly code: string; readonly message: string }
    | undefined;
}

/** What a journal tells of a run that has not ended; `undefined` if not even its beginning was written. */
export function unfinishedRun({ path, plan, records }: JournalContent): Unfinished | undefined {
  if (plan === undefined) return undefined;
  return {
    journal: path,
    command: plan.begun.command,
    direction: directionOf(plan),
    stuck: stuckAt(records.at(-1), plan),
  };
}

/** One run in words: what it is, where it is stuck and why, and what to do. */
export function unfinishedText({ journal, command, direction, stuck }: Unfinished): string {
  if (stuck === undefined) return `Would ${direction} the interrupted operation "${command}"`;
  return [
    `"${command}" is stuck: recovery cannot ${direction} step ${stuck.step}`,
    `  step    ${stuck.description}`,
    `  why     ${stuck.message} (${stuck.code})`,
    `  journal ${journal}`,
    '  to do   remove the cause, then run "keadm recover" again: it continues from here',
    `  or      abandon it and leave the node partly changed: keadm journal set-aside --force ${journal}`,
  ].join('\n');
}

function directionOf(plan: PlanProgress): Unfinished['direction'] {
  if (plan.direction === 'backward') return 'undo';
  return canTurnBack(plan) && plan.progress.some(({ state }) => state !== 'done') ? 'undo' : 'finish';
}

function stuckAt(last: JournalRecord | undefined, plan: PlanProgress): Unfinished['stuck'] {
  if (last?.type !== 'stuck') return undefined;
  return { step: last.index + 1, description: describe(plan, last.index), ...last.failure };
}

/** Another version may have planned kinds of step that this one does not know. */
function describe({ steps }: PlanProgress, index: number): string {
  const step = steps[index]?.step;
  if (step === undefined) return 'unknown';
  return STEP_HANDLERS.some(({ kind }) => kind === step.kind)
    ? handlerOf(STEP_HANDLERS, step).describe(step)
    : step.kind;
}
