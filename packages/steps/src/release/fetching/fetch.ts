import type { AgentSource } from '../agent-source.ts';

/** One agent to be fetched. */
export interface Fetch {
  readonly source: AgentSource;
  readonly to: string;
  /** The private folder in which transfers grow. */
  readonly downloads: string;
  /** The environment variables that name proxies. */
  readonly variables: NodeJS.ProcessEnv;
}
