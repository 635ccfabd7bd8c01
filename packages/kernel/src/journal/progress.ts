import type { Json } from '../json.ts';
import type { PlacedStep } from '../plan/step.ts';
import { placeSteps } from '../plan/step.ts';
import type { BegunRecord, JournalRecord } from './record.ts';

/** How far one step has come. `before` is what its `prepare` found. */
export type StepProgress =
  | { readonly state: 'pending' | 'reverted' }
  | { readonly state: 'begun' | 'done'; readonly before: Json };

/** How far a plan has come: all that the executor needs to go on, and all of it on disk. */
export interface PlanProgress {
  readonly begun: BegunRecord;
  readonly steps: readonly PlacedStep[];
  readonly progress: readonly StepProgress[];
  readonly direction: 'forward' | 'backward';
  readonly outcome: 'applied' | 'reverted' | undefined;
}

/** Where a plan stands when nothing but its opening record is written. */
export function progressOf(begun: BegunRecord): PlanProgress {
  const steps = placeSteps(begun.plan);
  return { begun, steps, progress: steps.map(() => ({ state: 'pending' })), direction: 'forward', outcome: undefined };
}

/** Where the plan stands after one more record. */
export function advance(plan: PlanProgress, record: JournalRecord): PlanProgress {
  switch (record.type) {
    case 'step-begun':
      return withStep(plan, record.index, { state: 'begun', before: record.before });
    case 'step-done':
      return withStep(plan, record.index, { state: 'done', before: beforeOf(plan, record.index) });
    case 'step-reverted':
      return withStep(plan, record.index, { state: 'reverted' });
    case 'turned-back':
      return { ...plan, direction: 'backward' };
    case 'ended':
      return { ...plan, outcome: record.outcome };
    case 'begun':
    case 'recovery-begun':
    case 'stuck':
      return plan;
  }
}

/** Whether the plan may still be undone: no step marked as the point of no return has begun. */
export function canTurnBack({ steps, progress }: PlanProgress): boolean {
  return !steps.some(({ index, step }) => step.pointOfNoReturn === true && hasActed(progress[index]));
}

/** Whether the step may have changed the machine. */
export function hasActed(step: StepProgress | undefined): step is Extract<StepProgress, { before: Json }> {
  return step?.state === 'begun' || step?.state === 'done';
}

function withStep(plan: PlanProgress, index: number, step: StepProgress): PlanProgress {
  return { ...plan, progress: plan.progress.map((other, at) => (at === index ? step : other)) };
}

function beforeOf({ progress }: PlanProgress, index: number): Json {
  const step = progress[index];
  return hasActed(step) ? step.before : null;
}
