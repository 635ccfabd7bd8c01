import * as z from 'zod/mini';

/** The file in the node's state folder in which the running agent says how it is. */
export const AGENT_STATUS_FILE = 'agent-status.json';

/** One module of the agent, as its supervisor sees it. */
const ModuleStatus = z.object({
  name: z.string(),
  state: z.enum(['healthy', 'degraded', 'failed', 'stopped']),
  reason: z.optional(z.string()),
  restarts: z.int(),
});

/** What the agent says about itself. What is optional is only known once the agent has a configuration. */
export const AgentStatus = z.object({
  version: z.string(),
  pid: z.int(),
  startedAt: z.string(),
  reloads: z.int(),
  nodeName: z.optional(z.string()),
  /** Whether the agent is connected to its cloud. */
  connected: z.optional(z.boolean()),
  /** What keeps the agent from its cloud. */
  problem: z.optional(z.object({ message: z.string(), code: z.optional(z.string()), hint: z.optional(z.string()) })),
  modules: z.optional(z.array(ModuleStatus)),
});
export type AgentStatus = z.infer<typeof AgentStatus>;
