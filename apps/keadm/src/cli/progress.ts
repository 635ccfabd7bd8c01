import { handlerOf, placeSteps, type ExecutionEvent, type PlacedStep, type Plan } from '@fenestra/kernel';
import { STEP_HANDLERS } from '@fenestra/steps';
import type { Terminal } from '../platform.ts';

/** Prints one line per step as it happens. */
export function progressPrinter(terminal: Terminal): (event: ExecutionEvent) => void {
  let steps: readonly PlacedStep[] = [];
  return (event) => {
    if (event.type === 'begun') steps = placeSteps(event.plan);
    if (event.type === 'run-found') steps = placeSteps(event.begun.plan);
    const line = progressLine(event, steps);
    if (line !== undefined) terminal.err(`${line}\n`);
  };
}

/** A plan as people read it before it runs. */
export function planText(plan: Plan): string {
  return plan.flatMap((phase) => [phase.title, ...phase.steps.map((step) => `  ${describeStep(step)}`)]).join('\n');
}

/** A plan as data for programs. */
export function planData(plan: Plan): unknown {
  return plan.map(({ id, title, steps }) => ({
    id,
    title,
    steps: steps.map((step) => ({ ...step, description: describeStep(step) })),
  }));
}

function progressLine(event: ExecutionEvent, steps: readonly PlacedStep[]): string | undefined {
  switch (event.type) {
    case 'step-done':
      return `  done    ${describeAt(steps, event.index)}`;
    case 'step-reverted':
      return `  undone  ${describeAt(steps, event.index)}`;
    case 'turned-back':
      return `  failed  ${event.failure.message}; undoing what was done`;
    case 'stuck':
      return `  stuck   ${describeAt(steps, event.index)}: ${event.failure.message}`;
    case 'run-found':
      return `Finishing or undoing the interrupted operation "${event.begun.command}"`;
    case 'journal-set-aside':
      return `A journal of work that ended before is damaged (${event.damage}); it is now "${event.path}"`;
    case 'step-note':
      return `          ${event.text}`;
    case 'begun':
    case 'recovery-begun':
    case 'step-begun':
    case 'step-progress':
    case 'ended':
      return undefined;
  }
}

function describeAt(steps: readonly PlacedStep[], index: number): string {
  const placed = steps[index];
  return placed === undefined ? `step ${index + 1}` : describeStep(placed.step);
}

/** A step as people read it; of a kind that only another version knows, the kind. */
export function describeStep(step: PlacedStep['step']): string {
  const known = STEP_HANDLERS.some(({ kind }) => kind === step.kind);
  return known ? handlerOf(STEP_HANDLERS, step).describe(step) : step.kind;
}
