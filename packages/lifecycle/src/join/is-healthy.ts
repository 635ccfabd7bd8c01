import type { NodeFacts } from '../node/node-facts.ts';

/** Whether the agent runs and is connected. Upstream's agent does not say, so it counts if its service runs. */
export function isHealthy({ service, agent, agentKind }: Pick<NodeFacts, 'service' | 'agent' | 'agentKind'>): boolean {
  if (service.state !== 'running') return false;
  return agentKind === 'upstream' || agent?.connected === true;
}
