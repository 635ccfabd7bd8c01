import type { Json } from '../json.ts';

/**
 * One change to one machine. Plain data without secrets, so a plan can be printed, diffed and stored.
 * Once a step with `pointOfNoReturn` has begun, the plan can only go forward.
 */
export interface Step {
  readonly kind: string;
  readonly pointOfNoReturn?: true;
  readonly [key: string]: Json | undefined;
}

/** Marks a step of a kind that can usually be reverted: from here on the plan only goes forward. */
export function pointOfNoReturn<S extends Step>(step: S): S & { readonly pointOfNoReturn: true } {
  return { ...step, pointOfNoReturn: true };
}

/** A phase with the steps it decided on. */
export interface PlannedPhase {
  readonly id: string;
  readonly title: string;
  readonly steps: readonly Step[];
}

/** Everything a command is going to do, in order. */
export type Plan = readonly PlannedPhase[];

/** A step with its place in the plan. Its index counts over all phases. */
export interface PlacedStep {
  readonly index: number;
  readonly phase: PlannedPhase;
  readonly step: Step;
}

/** The plan's steps in the order they run. */
export function placeSteps(plan: Plan): readonly PlacedStep[] {
  return plan
    .flatMap((phase) => phase.steps.map((step) => ({ phase, step })))
    .map(({ phase, step }, index) => ({ index, phase, step }));
}

/** One stage of a workflow. `plan` is pure: facts in, steps out, none where nothing needs doing. */
export interface Phase<Facts> {
  readonly id: string;
  readonly title: string;
  plan(facts: Facts): readonly Step[];
}

/** Asks every phase what it would do. On a machine already up to date the plan is empty. */
export function planWorkflow<Facts>(workflow: readonly Phase<Facts>[], facts: Facts): Plan {
  return workflow
    .map((phase) => ({ id: phase.id, title: phase.title, steps: phase.plan(facts) }))
    .filter((phase) => phase.steps.length > 0);
}
