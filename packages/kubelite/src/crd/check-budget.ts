/** Thrown when an object takes too many steps to check against its schema. */
export class CheckTooCostly extends Error {
  override readonly name = 'CheckTooCostly';
}

/** Limits the work of checking one object: a schema is as large as its author wants, and so is an object. */
export interface CheckBudget {
  /** Begins to check the next object. */
  reset(): void;
  /** Throws `CheckTooCostly` when the steps are used up. */
  spend(steps: number): void;
}

/** A step is one keyword at one value, or one instruction of a pattern at one character. */
const MAX_STEPS = 100_000_000;

/** A full budget. */
export function checkBudget(maxSteps: number = MAX_STEPS): CheckBudget {
  let left = maxSteps;
  return {
    reset: () => void (left = maxSteps),
    spend(steps) {
      left -= steps;
      if (left < 0) throw new CheckTooCostly('the object is too large for its schema');
    },
  };
}
