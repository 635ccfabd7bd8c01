import { z } from 'zod';

/** How one case went; one line of the runner's output. */
export type CaseReport = z.infer<typeof CaseReport>;
export const CaseReport = z.strictObject({
  suite: z.string(),
  name: z.string(),
  result: z.enum(['passed', 'failed', 'skipped']),
  /** Why it was skipped. */
  reason: z.string().optional(),
  /** What went wrong, with the stack. */
  error: z.string().optional(),
  ms: z.number(),
});

/** The runner's last line: anyone who does not see it knows that the runner died on the way. */
export type RunReport = z.infer<typeof RunReport>;
export const RunReport = z.strictObject({
  done: z.literal(true),
  counts: z.record(z.enum(['passed', 'failed', 'skipped']), z.number()),
});
