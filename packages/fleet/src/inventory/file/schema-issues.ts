import type * as z from 'zod/mini';

/** A complaint of the schema, where it is and what it says. */
export interface Complaint {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/**
 * The complaints as single ones. Where several forms were allowed, those of the form count that the file has used: the one
 * that is not refused as a whole.
 */
export function complaintsOf(issues: readonly z.core.$ZodIssue[]): readonly Complaint[] {
  return issues.flatMap((issue): readonly Complaint[] => {
    if (issue.code !== 'invalid_union') return [{ path: issue.path, message: issue.message }];
    const used = issue.errors.find(
      (form) => !form.some(({ code, path }) => code === 'invalid_type' && path.length === 0),
    );
    const inner = complaintsOf(used ?? issue.errors.at(-1) ?? []);
    return inner.map(({ path, message }) => ({ path: [...issue.path, ...path], message }));
  });
}
