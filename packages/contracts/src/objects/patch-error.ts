/** A patch that cannot be applied. `wellFormed` is false when the patch itself makes no sense (400 rather than 422). */
export class PatchError extends Error {
  override readonly name = 'PatchError';
  readonly wellFormed: boolean;

  constructor(message: string, wellFormed: boolean) {
    super(message);
    this.wellFormed = wellFormed;
  }
}

/** Limits the work of one patch: a small patch can name the same large part of an object again and again. */
export interface WorkBudget {
  /** Throws `PatchError` when the patch has used up its budget. */
  spend(steps: number): void;
}

/** A budget of so many steps, where a step is one field or item visited or moved. */
export function workBudget(steps: number): WorkBudget {
  let left = steps;
  return {
    spend(used) {
      left -= used;
      if (left < 0) throw new PatchError('the patch takes too many steps to apply: split it into smaller ones', true);
    },
  };
}
