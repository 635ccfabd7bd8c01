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

/** What went wrong, in words for people. */
const Failure = { message: z.string(), code: z.optional(z.string()), hint: z.optional(z.string()) };

/** The node as the cloud last got and accepted it. */
const NodeReport = z.object({
  registered: z.boolean(),
  /** `Unknown` until the cloud has taken a status of this agent. */
  ready: z.enum(['True', 'False', 'Unknown']),
  /** Why the node is not ready, or why the cloud could not be informed. */
  reason: z.optional(z.string()),
});
export type NodeReport = z.infer<typeof NodeReport>;

/** How the agent's last try to take up a changed configuration ended. */
const LastReload = z.object({
  at: z.string(),
  outcome: z.enum(['applied', 'refused']),
  message: z.optional(Failure.message),
  code: Failure.code,
  hint: Failure.hint,
});

/**
 * How a pod of the node is. `unsettled` runs, but may end by itself: it restarted a short time ago, or is not to be
 * restarted. `ended` is deleted or has done its work; `removed` is one that the agent has removed since it started.
 */
const PodReport = z.object({
  /** `namespace/name`. */
  name: z.string(),
  state: z.enum(['running', 'unsettled', 'notRunning', 'ended', 'removed']),
  /** Why it does not run. */
  reason: z.optional(z.string()),
});
export type PodReport = z.infer<typeof PodReport>;

/** What the agent says about itself. What is optional is only known once the agent has a configuration. */
export const AgentStatus = z.object({
  version: z.string(),
  pid: z.int(),
  startedAt: z.string(),
  reloads: z.int(),
  lastReload: z.optional(LastReload),
  nodeName: z.optional(z.string()),
  /** Digest of the configuration text that is in effect, as `configDigest` makes it. */
  configSha256: z.optional(z.string()),
  /** Whether the agent is connected to its cloud. */
  connected: z.optional(z.boolean()),
  /** What keeps the agent from its cloud. */
  problem: z.optional(z.object(Failure)),
  node: z.optional(NodeReport),
  modules: z.optional(z.array(ModuleStatus)),
  /** The pods of the node; absent while it runs none. */
  pods: z.optional(z.array(PodReport)),
});
export type AgentStatus = z.infer<typeof AgentStatus>;
