import { AgentStatus } from '@fenestra/contracts';
import { parseJson } from '@fenestra/kernel';
import * as z from 'zod/mini';

const FarEndLimits = z.object({
  /** Then it is asked to stop. */
  commandSeconds: z.number(),
  /** How long it may then take to undo what it did, before it is ended by force. */
  stopSeconds: z.number(),
});

/** What a node is instructed to do, sent there over the connection and never as a part of a command line. */
export const FarEndJob = z.object({
  /** The same id means the same job: it is never done twice. */
  id: z.string(),
  /** The words after "keadm". They may hold secrets. */
  argv: z.array(z.string()),
  /** The same words for people. */
  shown: z.array(z.string()),
  /** What must not appear in anything that is written or sent back. */
  secrets: z.array(z.string()),
  /** Where the command runs. */
  folder: z.string(),
  /** Files to be copied before the first try, for a way back. */
  save: z.array(z.object({ from: z.string(), to: z.string() })),
  limits: FarEndLimits,
});
export type FarEndJob = z.infer<typeof FarEndJob>;

const Identity = z.object({ pid: z.int(), startedAt: z.string(), bootId: z.string() });

/** What the node keeps about a job: nothing secret. */
export const FarEndRecord = z.object({
  id: z.string(),
  shown: z.array(z.string()),
  begunAt: z.string(),
  /** Who took the job on; it hands over to the holder. */
  starter: Identity,
});
export type FarEndRecord = z.infer<typeof FarEndRecord>;

/** The process that manages a job's command. */
export const FarEndHolder = Identity;
export type FarEndHolder = z.infer<typeof FarEndHolder>;

/** How a job's command ended. */
export const FarEndExit = z.object({
  exitCode: z.int(),
  endedAt: z.string(),
  /** Why it was asked to stop, if it was. */
  stopped: z.nullable(z.enum(['asked', 'limit'])),
});
export type FarEndExit = z.infer<typeof FarEndExit>;

/** What the far end says, one JSON object a line. */
export const FarEndEvent = z.discriminatedUnion('type', [
  /** The job is in hand; `found` if an earlier call had begun it. */
  z.object({ type: z.literal('attached'), id: z.string(), found: z.boolean() }),
  /** A line of progress; `next` is where to go on after a lost connection. */
  z.object({ type: z.literal('line'), text: z.string(), next: z.int() }),
  /** The command has ended; `result` is what it printed for programs. */
  z.object({ type: z.literal('ended'), exit: FarEndExit, result: z.string() }),
  /** The command is no more and no one saw its end: it was killed, or the machine was started again. */
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

/** What a machine is and what its node is like, as read there. */
export const FarEndFacts = z.object({
  os: z.enum(['linux', 'windows']),
  arch: z.string(),
  /** Seconds since 1970 by the clock there. */
  clock: z.number(),
  /** Whether there are an administrator's rights. */
  elevated: z.boolean(),
  /** What the version file says. */
  version: z.optional(z.string()),
  /** Whether the machine has the configuration of a node. */
  configured: z.boolean(),
  /** Whether the agent's process is there. */
  running: z.boolean(),
  /** What the agent says about itself. */
  status: z.optional(AgentStatus),
  /** The clouds that the configuration names. */
  servers: z.array(z.string()),
  freeBytes: z.optional(z.number()),
});
export type FarEndFacts = z.infer<typeof FarEndFacts>;

/** One folder or file of a parcel. Paths are relative, with slashes, and stay inside the parcel. */
export const ParcelEntry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('folder'), path: z.string(), mode: z.int() }),
  z.object({ kind: z.literal('file'), path: z.string(), mode: z.int(), size: z.int(), sha256: z.string() }),
]);
export type ParcelEntry = z.infer<typeof ParcelEntry>;

/** The first line of a parcel on its way to a machine; the files' bytes follow in this order, one after the other. */
export const ParcelHeader = z.array(ParcelEntry);
export type ParcelHeader = z.infer<typeof ParcelHeader>;

/** Whether a path stays where it is put, on every system. */
export function isInsideParcel(path: string): boolean {
  const parts = path.split(/[/\\]/);
  return path !== '' && !path.includes(':') && parts.every((part) => part !== '' && part !== '.' && part !== '..');
}

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
