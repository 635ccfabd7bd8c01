import * as z from 'zod/mini';
import type { Json } from '../json.ts';
import type { PlannedPhase, Step } from '../plan/step.ts';

const JsonValue: z.ZodMiniType<Json> = z.json();
const StepRecord: z.ZodMiniType<Step> = z.catchall(
  z.object({ kind: z.string(), pointOfNoReturn: z.exactOptional(z.literal(true)) }),
  JsonValue,
);
const PhaseRecord: z.ZodMiniType<PlannedPhase> = z.object({
  id: z.string(),
  title: z.string(),
  steps: z.readonly(z.array(StepRecord)),
});
const Failure = z.object({ code: z.string(), message: z.string() });
const at = z.string();
const index = z.int();

/** Who works on the node, distinguished from every other process that ever had its number. */
export const ProcessIdentity = z.object({ pid: z.int(), startedAt: z.string(), bootId: z.string() });
export type ProcessIdentity = z.infer<typeof ProcessIdentity>;

/**
 * One line of the journal, and at the same time the event that progress, logs and reports are made from.
 * Each is on disk before the act it announces.
 */
export const JournalRecord = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('begun'),
    at,
    command: z.string(),
    /** The name of the journal; missing in those of earlier versions. */
    journal: z.exactOptional(z.string()),
    programVersion: z.string(),
    owner: ProcessIdentity,
    plan: z.readonly(z.array(PhaseRecord)),
  }),
  z.object({ type: z.literal('step-begun'), at, index, before: JsonValue }),
  z.object({ type: z.literal('step-done'), at, index }),
  z.object({ type: z.literal('turned-back'), at, failure: Failure }),
  z.object({ type: z.literal('step-reverted'), at, index }),
  z.object({ type: z.literal('recovery-begun'), at, programVersion: z.string(), owner: ProcessIdentity }),
  z.object({ type: z.literal('stuck'), at, index, failure: Failure }),
  z.object({ type: z.literal('ended'), at, outcome: z.enum(['applied', 'reverted']) }),
]);
export type JournalRecord = z.infer<typeof JournalRecord>;

/** The record that opens every journal. */
export type BegunRecord = Extract<JournalRecord, { type: 'begun' }>;

type Untimed<R> = R extends JournalRecord ? Omit<R, 'at'> : never;

/** A record before the journal stamps it with the time. */
export type NewRecord = Untimed<JournalRecord>;

/** What the text says, or `undefined` if it is not JSON: for files that a crash may have damaged. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
