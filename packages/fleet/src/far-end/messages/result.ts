import { parseJson } from '@fenestra/kernel';
import * as z from 'zod/mini';

/** Why keadm failed, as its JSON output has it. */
export const FarEndFailure = z.object({
  code: z.string(),
  message: z.string(),
  hint: z.string(),
  details: z.optional(z.record(z.string(), z.unknown())),
});
export type FarEndFailure = z.infer<typeof FarEndFailure>;

const Result = z.object({ error: z.optional(FarEndFailure) });

/** The failure in keadm's JSON output; `undefined` if there is none, or no JSON at all. */
export function failureIn(result: string): FarEndFailure | undefined {
  const parsed = Result.safeParse(jsonIn(result));
  return parsed.success ? parsed.data.error : undefined;
}

/** The JSON object in output that a profile may have put noise around. */
export function jsonIn(output: string): unknown {
  const lines = output.split(/\r?\n/);
  const first = lines.findIndex((line) => line.startsWith('{'));
  const last = lines.findLastIndex((line) => line.endsWith('}'));
  return first === -1 ? undefined : parseJson(lines.slice(first, last + 1).join('\n'));
}
