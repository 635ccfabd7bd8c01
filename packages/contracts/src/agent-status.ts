import * as z from 'zod/mini';

/** The file in the node's state folder in which the running agent says how it is. */
export const AGENT_STATUS_FILE = 'agent-status.json';

/** What the agent says about itself. */
export const AgentStatus = z.object({
  version: z.string(),
  pid: z.int(),
  startedAt: z.string(),
  reloads: z.int(),
});
export type AgentStatus = z.infer<typeof AgentStatus>;
