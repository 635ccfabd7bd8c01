import { parseJson } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { FarEndExit } from './job.ts';

/** What the far end says, one JSON object a line. */
export const FarEndEvent = z.discriminatedUnion('type', [
  /** The job is in hand; `found` if an earlier call had begun it. */
  z.object({ type: z.literal('attached'), id: z.string(), found: z.boolean() }),
  /** A line of progress; `next` is where to go on after a lost connection. */
  z.object({ type: z.literal('line'), text: z.string(), next: z.int() }),
  /** The command has ended; `result` is what it printed for programs. */
  z.object({ type: z.literal('ended'), exit: FarEndExit, result: z.string() }),
  /** The command is no more and nobody saw its end: it was killed, or the machine was started again. */
  z.object({ type: z.literal('gone'), rebooted: z.boolean() }),
  /** There is no such job. */
  z.object({ type: z.literal('absent') }),
]);
export type FarEndEvent = z.infer<typeof FarEndEvent>;

/** An event as one line, without the newline. */
export function farEndLine(event: FarEndEvent): string {
  return JSON.stringify(event);
}

/** The event in a line of output; `undefined` for what a profile or a banner has printed. */
export function parseFarEndLine(line: string): FarEndEvent | undefined {
  const parsed = FarEndEvent.safeParse(parseJson(line));
  return parsed.success ? parsed.data : undefined;
}
