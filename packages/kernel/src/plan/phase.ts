import type { Plan, Step } from './step.ts';

/** One stage of a workflow. `plan` is pure: facts in, steps out, none where nothing needs doing. */
export interface Phase<Facts> {
  readonly id: string;
  readonly title: string;
  plan(facts: Facts): readonly Step[];
}

/** Asks every phase what it would do. On a machine already as wanted the plan is empty. */
export function planWorkflow<Facts>(workflow: readonly Phase<Facts>[], facts: Facts): Plan {
  return workflow
    .map((phase) => ({ id: phase.id, title: phase.title, steps: phase.plan(facts) }))
    .filter((phase) => phase.steps.length > 0);
}
