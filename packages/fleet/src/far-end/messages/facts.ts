import * as z from 'zod/mini';
import { AgentStatus } from '@fenestra/contracts';

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
