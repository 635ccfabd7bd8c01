import * as z from 'zod/mini';

/** How long a command may take. */
const FarEndLimits = z.object({
  /** Then it is asked to stop. */
  commandSeconds: z.number(),
  /** How long it may then take to undo what it did, before it is ended by force. */
  stopSeconds: z.number(),
});

/** What a node is told to do, sent there over the connection and never as a part of a command line. */
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

/** The process that looks after a job's command. */
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
