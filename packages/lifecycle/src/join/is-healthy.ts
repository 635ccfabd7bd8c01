import type { NodeFacts } from '../node/node-facts.ts';

/** Whether the agent runs and is connected. An upstream agent does not say, so it counts if its service runs. */
export function isHealthy({ service, agent }: Pick<NodeFacts, 'service' | 'agent'>): boolean {
  if (service.state !== 'running') return false;
  return agent === undefined || agent.connected === true;
}
